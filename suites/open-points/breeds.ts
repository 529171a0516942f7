import { listShape } from './shared/lists.ts'

export const ofBreeds = [listShape('listBreeds', 'breeds', async ({ breeds }) => breeds)]
