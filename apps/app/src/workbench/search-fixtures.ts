import type { FoundRecord } from '@linnet/sync';
import type { SearchResults } from '../ports/search.ts';
import type { Live } from '../ports/store.ts';

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
const at = (id: string, seconds: number) => ({ id, seconds });

const found: readonly FoundRecord[] = [
  {
    ...{ id: 'done', title: 'Choir committee', ai_title: '', record_time: 754 },
    create_date: daysAgo(0.1),
    matchCount: 9,
    matches: [
      { where: 'tag', text: 'spring concert', paragraph: null },
      {
        where: 'paragraph',
        text: '…I would like to start with the rehearsal schedule and then look at the budget for the spring concert.',
        paragraph: at('p0', 1.2),
      },
      {
        where: 'paragraph',
        text: 'The hall is free on the second and on the ninth of March, so the concert could move, and the caretaker says that the heating will be repaired by then…',
        paragraph: at('p1', 312),
      },
    ],
  },
  {
    ...{ id: 'arabic', title: '', ai_title: 'لقاء عن حفل الربيع concert', record_time: 4210 },
    create_date: daysAgo(12),
    matchCount: 2,
    matches: [
      { where: 'summary', text: 'اتفق الجميع على موعد concert في شهر مارس.', paragraph: null },
      {
        where: 'paragraph',
        text: '…هل نبدأ الـ concert في السابعة أم في الثامنة؟',
        paragraph: at('p3', 3712.5),
      },
    ],
  },
  {
    ...{ id: 'local', title: '', ai_title: '', record_time: 61 },
    create_date: daysAgo(40),
    matchCount: 1,
    matches: [
      {
        where: 'paragraph',
        text: '音乐会 concert 我们明天的会议室在三楼。',
        paragraph: at('p4', 12),
      },
    ],
  },
];

const elsewhere: SearchResults['elsewhere'] = [
  {
    ...{ id: 'far', title: 'Concert hall, site visit', ai_title: '', record_time: 1830 },
    create_date: daysAgo(3),
    onPhone: false,
    matchCount: 1,
    matches: [{ where: 'name', text: 'Concert hall, site visit', paragraph: null }],
  },
];

/** Static search results, as requested by `found`. */
export function searchResults(
  keyword: string,
  requested: string | undefined,
): ReturnType<Live<SearchResults>['get']> {
  if (requested === 'loading') return { status: 'loading' };
  const none = requested === 'none' || requested === 'none-offline' || keyword.trim() === '';
  return {
    status: 'ready',
    value: {
      found: none ? [] : found,
      more: requested === 'many',
      indexed: requested === 'indexing' ? 0.42 : null,
      server: requested?.endsWith('offline') ? 'unreachable' : 'done',
      elsewhere: none || requested ? [] : elsewhere,
    },
  };
}
