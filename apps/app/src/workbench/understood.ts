/** Analyses of the workbench's recordings. */
import type { MindNode, Paragraph, SummaryDocument } from '@linnet/contract';

type Said = { readonly id: string; readonly start_time: number };

/** Returns successive paragraphs as sources. */
function places(paragraphs: readonly Paragraph[]) {
  let next = 0;
  return (): Pick<SummaryDocument['needs'][number], 'paragraph_id' | 'start_time'> => {
    const place: Said = paragraphs[next++ % paragraphs.length] ?? { id: 'p0', start_time: 0 };
    return { paragraph_id: place.id, start_time: place.start_time };
  };
}

/** The lists of a choir committee's meeting. */
export function choirLists(paragraphs: readonly Paragraph[]) {
  const said = places(paragraphs);
  const item = (id: string, text: string) => ({ id, text, ...said() });
  const end = paragraphs.at(-1)?.end_time ?? 0;
  const topics = [
    'Rehearsal schedule',
    'The hall and its heating',
    'Soloists and tenors for the motet in the second half',
    'Printed programmes',
  ];
  return {
    todos: [
      {
        ...item('todos-1', 'Miriam, could you call the soloists and tell us by Thursday?'),
        ...{ who: 'Miriam', when: 'by Thursday', due: '2026-11-26' },
      },
      {
        ...item('todos-2', 'Somebody has to write the notes on the second half.'),
        ...{ who: null, when: null, due: null },
      },
      {
        ...item(
          'todos-3',
          'We have to order the printed programmes before the end of the month, and ask the printer whether the paper of last year can still be had.',
        ),
        ...{ who: null, when: 'before the end of the month', due: '2026-11-30' },
      },
    ],
    knowledge_points: [
      item('k-1', 'The point is that a motet cannot be sung without at least four tenors.'),
      item('k-2', 'A hall with this echo needs slower tempi than the church.'),
    ],
    needs: [item('n-1', 'We need one more week of rehearsals.')],
    questions: [
      item('q-1', 'Who writes the notes on the second half, and how long may they be?'),
      item('q-2', 'Is the heating repaired by then?'),
    ],
    finance: [
      {
        ...item('f-1', 'The printed programmes cost four hundred and twenty euros last year.'),
        ...{ amount: 420, currency: 'EUR', purpose: 'printed programmes' },
      },
      {
        ...item('f-2', 'The hall is eighty-five euros fifty an evening.'),
        ...{ amount: 85.5, currency: 'EUR', purpose: 'the hall' },
      },
      {
        ...item('f-3', 'The soloists want a few hundred Swiss francs.'),
        ...{ amount: null, currency: 'CHF', purpose: null },
      },
    ],
    timeline: [
      { ...item('t-1', 'The hall is free on the second.'), when: 'the second', date: '2027-03-02' },
      {
        ...item('t-2', 'Two of the tenors are away on the ninth, and we cannot do the motet.'),
        ...{ when: 'on the ninth', date: '2027-03-09' },
      },
      { ...item('t-3', 'Tell us by Thursday.'), when: 'by Thursday', date: '2026-11-26' },
      { ...item('t-4', 'We meet again some evening in spring.'), when: 'in spring', date: null },
    ],
    topics: topics.map((text, index) => ({
      ...{ id: `topic-${index}`, text, paragraph_id: paragraphs[index * 5]?.id ?? 'p0' },
      start_time: paragraphs[index * 5]?.start_time ?? 0,
      end_time: paragraphs[(index + 1) * 5]?.start_time ?? end,
    })),
    looked_for: [
      'todos',
      'knowledge_points',
      'needs',
      'questions',
      'finance',
      'timeline',
      'topics',
    ],
  } satisfies Partial<SummaryDocument>;
}

type Words = readonly [topic: string, ...below: (string | Words)[]];

/** A tree as nodes; those of the first level have sources. */
function nodes(words: Words): MindNode[] {
  const found: MindNode[] = [];
  const grow = ([topic, ...below]: Words, id: string, parentid: string) => {
    const said = parentid === '' ? {} : { paragraph_id: 'p2', start_time: 24.6 };
    found.push({ id, parentid, topic, ...said });
    for (const [index, each] of below.entries()) {
      grow(typeof each === 'string' ? [each] : each, `${id}-${index}`, id);
    }
  };
  grow(words, 'root', '');
  return found;
}

export const choirMap = nodes([
  'Rehearsals and the spring concert',
  [
    'Rehearsal schedule',
    'The hall is free on the second and on the ninth of March.',
    'We need one more week of rehearsals.',
  ],
  ['The hall and its heating', 'The caretaker says that the heating will be repaired by then.'],
  [
    'Soloists and tenors',
    'Two of the tenors are away on the ninth, and we cannot do the motet without them.',
    'Miriam calls the soloists.',
  ],
  ['Printed programmes', 'If we order before the end of the month we save about sixty.'],
]);

export const gardenMap = nodes([
  'خطة حديقة الحي',
  [
    'أشجار الزيتون',
    'نزرع أربعين شجرة في الربيع القادم بعد أن توافق البلدية على المكان.',
    'الريّ مرتين في الأسبوع',
  ],
  ['الميزانية', 'كلفة التربة ثلاثة آلاف درهم', ['التبرعات', 'من المدرسة', 'من أهل الحي']],
  ['الموعد القادم مع البلدية', 'يوم الأربعاء صباحًا'],
]);

/** A long meeting in several scripts: both sides, several levels. */
export const longMap = nodes([
  'Autumn conference, 2026',
  [
    'Venue',
    'Two halls on the ground floor',
    'Step-free from the tram',
    ['Rooms', 'A12 for talks', 'B3 for workshops', 'Foyer for posters'],
  ],
  ['东京的客人', '我们明天上午九点在二楼的会议室见面，请把合同和预算一起带来。', '谁有钥匙？'],
  ['ผู้พูด', 'ประชุมพรุ่งนี้ตอนเช้าเวลาเก้าโมงที่ห้องประชุมชั้นสองของอาคารใหม่', 'ส่งเอกสารภายในวันศุกร์'],
  ['ضيوف من القاهرة', 'يصلون يوم الخميس ويحتاجون إلى غرفتين', 'أرسل العقد غدًا'],
  ['Budget', 'Hall 4,200', 'Catering 6,800', ['Travel', 'Trains first', 'Two flights at most']],
  [
    'Programme',
    ['Day one', 'Keynote on birdsong and how dialects spread along a river valley', 'Panel'],
    ['Day two', 'Workshops', 'Closing walk'],
  ],
]);

/** The number of nodes with which the layout is measured. */
export const vastMap: MindNode[] = [
  { id: 'root', parentid: '', topic: 'Five hundred nodes' },
  ...Array.from({ length: 499 }, (_, index): MindNode => {
    const parent = index < 12 ? 'root' : `v${Math.floor((index - 12) / 4)}`;
    return { id: `v${index}`, parentid: parent, topic: `Branch ${index}: what was said about it` };
  }),
];
