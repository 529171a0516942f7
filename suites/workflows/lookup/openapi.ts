import openapi from '../../../fixtures/contract/openapi.json' with { type: 'json' }

/** Renders the interface of the cat directory as OpenAPI 3.1. */
export const renderOpenApi = (): string => `${JSON.stringify(openapi, null, 2)}\n`
