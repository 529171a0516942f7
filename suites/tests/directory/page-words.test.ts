import { describe, expect, test } from 'vitest'
import { pageWords } from '../../directory/pages/page-keys.ts'
import { isOfOther } from '../../directory/pages/page-words.ts'
import { rowsOf, testTables } from '../layout/tables.test.support.ts'
import { each, led, PAGE, PART, read, WHOLE } from './paged.test.support.ts'

describe('what may be said of something else is told from what is said of the list', () => {
  testTables(pageWords, {
    changes: rowsOf(
      led,
      each(
        'nextSyncToken nextDeltaToken',
        (key) => ({ [key]: 'c' }),
        () => '=c',
        PAGE,
      ),
    ),
    anyMore: rowsOf(led, [
      ...each(
        'moreUrl more_uri',
        (key) => ({ [key]: 'http://docs.test/more' }),
        () => undefined,
        PAGE,
      ),
      [[{ moreUrl: '/v2/rest' }, '/rest'], WHOLE],
      [[{ moreUrl: 'http://elsewhere.test/search?rest' }], PART],
      [[{ more_cats_url: 'http://elsewhere.test/rest' }], PART],
    ]),
    tokens: rowsOf(
      led,
      each(
        'nextForwardToken nextJobCursor NextVersionIdMarker',
        (key) => ({ [key]: 'c' }),
        () => undefined,
        PART,
      ),
    ),
    ofTheAnswer: rowsOf(
      led,
      each(
        'etag bodyHash digest checksum version revision generatedTime updated createdBy requestRef trace session id',
        (key) => ({ [key]: 'k00010' }),
        (key) => `${key}=`,
        PAGE,
      ),
    ),
    quotas: rowsOf(led, [
      [[{ api: { total: 5, remaining: 4 } }], PAGE],
      [[{ api: { total: 5, reset_at: 1 } }], PAGE],
      [[{ api: { total: 5, used: 1 } }], PAGE],
      [[{ paging: { total: 5, remaining: 3 } }], PART],
      [[{ total: 5, remaining: 4 }], PART],
    ]),
    elements: rowsOf(
      led,
      each(
        `item_total results_total total_records totalRows hits_total element_total total_objects document_total totalDocs
        resource_total member_total node_total values_total entry_total total_entries totalMatches felines_total
        total_kittens total_kitties pets_total animals_total data_total list_total collection_total set_total
        search_total query_total response_total pagination-total meta_total hydra:totalItems opensearch:totalResults
        odata_total wp-total ms-total opc-total total_of_items total_in_list totals`,
        (key) => ({ [key]: 3 }),
        () => undefined,
        PART,
      ),
    ),
    counting: rowsOf(led, [
      ...each(
        `total totalCount total_number num_total nb_total total_size total_length total_found totalAvailable total_overall
        total_all full_total total_filtered estimatedTotalHits approximate_total iTotalDisplayRecords cat_total total_cats
        total_cats_in_shelter`,
        (key) => ({ [key]: 3 }),
        () => undefined,
        PART,
      ),
      ...each(
        'total_lives total_weight_kg totalBytes subtotal total_owners',
        (key) => ({ [key]: 400 }),
        () => undefined,
        PAGE,
      ),
      [[{ total_kept: 3 }, 'offset=2'], WHOLE],
      [[{ total: 2.5 }], PAGE],
    ]),
    leading: rowsOf(led, [
      ...each(
        `next nextPage nextToken nextCursorMark next_key next_id nextPageState nextIterator nextSearchAfter next_seq nextLink
        nextHref next_url next_path next_request nextPageParams next_offset next_start next_skip next_from next_index
        nextRecordPosition next_page_number next_page_num next_no Next-Range next_count next_max_id nextBatch next_chunk
        next_slice next_part nextPartitionKey nextSegment next_window continue continuation loadMore load_more_after
        next_available`,
        (key) => ({ [key]: 'c' }),
        () => undefined,
        PART,
      ),
      ...each(
        'has_more is_more moreAvailable moreExist moreRemaining more_left results_truncated is_incomplete isPartial',
        (key) => ({ [key]: true }),
        () => undefined,
        PART,
      ),
      ...each(
        'next_feeding nextUpdate nextjs-cache discontinued',
        (key) => ({ [key]: 'c' }),
        () => undefined,
        PAGE,
      ),
      ...each(
        'more_info moreCuddly next_of_kin partial_blindness',
        (key) => ({ [key]: true }),
        () => undefined,
        PAGE,
      ),
      [[{ next: '18:00' }], PAGE],
      [[{ next_cursor: '18:00' }], PART],
      [[{ offset: '+02:00' }], PAGE],
      [[{ next_litter: 'c' }, '=c'], WHOLE],
      [[{ next_litter_url: 'http://vets.test/litters' }], PAGE],
      [[{ next_breed: 'Manx' }, 'breed=Manx'], PAGE],
      [[{ more_breeds: true }, 'offset=2'], PAGE],
      [[{ more_cuddly: false, total: 3 }], PART],
      [[{ next_feeding: null, total: 3 }], PART],
    ]),
  })
})

test.each<['cat' | 'breed', string, boolean]>([
  ['cat', 'nextbreed', true],
  ['cat', 'nextcatbreed', false],
  ['cat', 'nextpage', false],
  ['breed', 'nextcatsurl', true],
  ['breed', 'nextbreedcats', false],
  ['breed', 'nextcategorypage', false],
])('beside a list of the kind %s, %s is of the other: %s', (kind, key, isOther) => {
  expect(isOfOther(key, { kind })).toBe(isOther)
})

test('a link to all cats leads to no page of a search', async () => {
  const cats = ['Tom', 'Tim', 'Kit', 'Kat', 'Mia', 'Leo']
  const search = { moreUrl: '/v2/cats', cats: ['Tom', 'Tim'] }
  expect(await read((target) => ({ value: target === '/v2/cats' ? { cats } : search }))).toBe(PAGE)
})

test('a link to more leads from a list that shows something', async () => {
  const said = { moreUrl: '/v2/popular', cats: [] }
  expect(await read((target) => ({ value: target === '/v2/popular' ? { cats: ['Kit'] } : said }))).toBe('')
})
