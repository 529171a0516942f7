import openapi from '../../../fixtures/contract/openapi.json' with { type: 'json' }

/** The interface as OpenAPI 3.1. */
export const renderOpenApi = (): string => `${JSON.stringify(openapi, null, 2)}\n`
