import { listShape } from './kit/lists.ts'

export const ofBreeds = [listShape('listBreeds', 'breeds', async ({ breeds }) => breeds)]
