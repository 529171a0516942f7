import { createListShapeObserver } from './shared/lists.ts'

export const breedsObservers = [createListShapeObserver('listBreeds', 'breeds', async ({ breeds }) => breeds)]
