import { readFileSync } from 'node:fs';
import { structureHeadings, structureIds, summaryLists } from '@linnet/contract/structures';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toMindMap } from '../../../transcript/mind-map.ts';
import { toParagraphs } from '../../../transcript/paragraphs.ts';
import { allItems, analyzerContract } from '../contract-suite.ts';
import type { AnalysisNote, AnalysisParagraph } from '../port.ts';
import { analyzeTranscript, createBuiltinAnalyzer } from './index.ts';
import { splitSentences } from './sentences.ts';

/** Creates one paragraph per argument, at intervals of ten seconds. */
function transcript(...texts: string[]): AnalysisParagraph[] {
  return texts.map((text, index) => ({
    id: `p${index + 1}`,
    start: index * 10,
    end: index * 10 + 9,
    text,
  }));
}

/** A paragraph in the app's demo. A word consists of its text, start and end. */
type DemoParagraph = {
  readonly id: string;
  readonly start_time: number;
  readonly end_time: number;
  readonly content: string;
  readonly words: readonly (readonly [text: string, start: number, end: number])[];
};

const kitchen = transcript(
  'Thanks for calling back. The new kitchen arrives in June. The old kitchen goes to my cousin.',
  "I'll measure the kitchen wall tonight. We don't need to paint the ceiling. The weather will be fine.",
  'Please remember to order the oven. Will the oven fit under the window? How are you, by the way?',
  'Martha will call the electrician. We should ask for a second socket near the window.',
);

const defaults = { structures: [], recordedAt: new Date('2026-03-02T09:00:00Z') } as const;

describe('a built-in analyzer', () => {
  analyzerContract(createBuiltinAnalyzer, kitchen);
});

describe('analysis in English', () => {
  const { document } = analyzeTranscript({ paragraphs: kitchen, language: 'en', ...defaults });

  it('finds the to-dos and nothing else', () => {
    expect(document.todos.map((item) => item.text)).toEqual([
      "I'll measure the kitchen wall tonight.",
      'Please remember to order the oven.',
      'Martha will call the electrician.',
      'We should ask for a second socket near the window.',
    ]);
  });

  it('finds the questions except courtesies', () => {
    expect(document.questions.map((item) => item.text)).toEqual([
      'Will the oven fit under the window?',
    ]);
  });

  it('reports the lists it extracted', () => {
    expect(document.looked_for).toEqual([...summaryLists]);
    expect(document.finance).toEqual([]);
  });

  it.each([
    ['I need to buy milk', true],
    ['You have to sign it by Tuesday', true],
    ["Let's schedule another call with them", true],
    ['Could you send me the file', true],
    ['Make sure that the door is locked', true],
    ['And then we will review the numbers', true],
    ['We did not need to wait', false],
    ['I should have called you', false],
    ['I have to say it was lovely', false],
    ['The trees will cost six hundred dollars', false],
    ['It will take a week', false],
    ['She needed to leave early', false],
  ])('decides whether this is a to-do: %s (%s)', (text, expected) => {
    const { todos } = analyzeTranscript({
      paragraphs: transcript(text),
      language: 'en',
      ...defaults,
    }).document;
    expect(todos.length > 0).toBe(expected);
  });
});

describe('titles', () => {
  it.each([
    [
      'Today we are discussing the budget for the school play. It is small.',
      'The budget for the school play',
    ],
    ["Hello. I'm calling about the broken window. It is cold.", 'The broken window'],
    ['This is a note on bread baking. Flour first.', 'Bread baking'],
    ['Today we talk about the spring concert. It is in March.', 'The spring concert'],
    [
      'Good morning, today we are planning the reading festival. It is in June.',
      'Planning the reading festival',
    ],
  ])('are taken from announcements: %s', (text, title) => {
    expect(
      analyzeTranscript({ paragraphs: transcript(text), language: 'en', ...defaults }).title,
    ).toBe(title);
  });

  it.each([
    [
      'en',
      [
        'Good morning. We plan the new school garden. It is next to the library. The garden needs water.',
      ],
      'We plan the new school garden',
    ],
    [
      'es',
      ['Buenos días. El huerto urbano empieza en primavera. ¿Quién trae agua al huerto?'],
      'El huerto urbano empieza en primavera',
    ],
    [
      'fr',
      ['Bonjour. Le jardin partagé ouvre au printemps. Le jardin a besoin d’eau.'],
      'Le jardin partagé ouvre au printemps',
    ],
    [
      'pt',
      ['Bom dia. A horta comunitária começa na primavera. A horta precisa de água.'],
      'A horta comunitária começa na primavera',
    ],
    [
      'ru',
      ['Доброе утро. Общественный сад открывается весной. В саду нужна вода.'],
      'Общественный сад открывается весной',
    ],
    [
      'ar',
      ['صباح الخير. حديقة الحي الجديدة تفتح في الربيع. حديقة الحي تحتاج إلى ماء.'],
      'حديقة الحي الجديدة تفتح في الربيع',
    ],
    [
      'ja',
      ['おはようございます。新しい図書館は来月開館します。図書館は駅前にあります。'],
      '新しい図書館は来月開館します',
    ],
    [
      'ko',
      ['안녕하세요. 새 도서관은 다음 달에 문을 엽니다. 도서관은 역 앞에 있습니다.'],
      '새 도서관은 다음 달에 문을 엽니다',
    ],
    ['zh-Hans', ['大家好。新图书馆下个月开放。图书馆在车站旁边。'], '新图书馆下个月开放'],
    ['th', ['สวัสดีครับ ห้องสมุดใหม่เปิดเดือนหน้า ห้องสมุดอยู่ใกล้สถานี'], 'ห้องสมุดใหม่เปิดเดือนหน้า'],
  ])(
    'are the sentence that introduces the subject if nothing is announced: %s',
    (language, texts, title) => {
      expect(
        analyzeTranscript({ paragraphs: transcript(...texts), language, ...defaults }).title,
      ).toBe(title);
    },
  );

  it('are shortened between words if every sentence is long', () => {
    const long = `The committee ${'reviewed the harvest and '.repeat(5)}went home.`;
    const { title } = analyzeTranscript({
      paragraphs: transcript(long),
      language: 'en',
      ...defaults,
    });
    expect(title).toBe('The committee reviewed the harvest and reviewed the…');
  });

  it('are empty without words', () => {
    expect(
      analyzeTranscript({ paragraphs: transcript('…'), language: 'en', ...defaults }).title,
    ).toBe('');
  });
});

describe('the bundled recordings', () => {
  const readJson = (path: string) =>
    JSON.parse(readFileSync(new URL(`../../../../../${path}`, import.meta.url), 'utf8'));

  it.each([
    [
      'community-garden',
      'Planning the new community garden next to the library',
      ['Water company'],
    ],
    ['wild-birds', 'There are some wild birds living in my garden this year', ['Wild birds']],
    ['microphone', 'My plans for the weekend', ['Train to the mountains']],
  ])('have readable titles and topics: %s', (name, title, topics) => {
    const scene = readJson(`virtual-recorder/scenes/${name}.json`);
    const paragraphs = transcript(...scene.transcript.split('\n'));
    const analysis = analyzeTranscript({ paragraphs, language: 'en', ...defaults });
    expect(analysis.title).toBe(title);
    expect(analysis.document.topics.map(({ text }) => text)).toEqual(topics);
  });

  it('include a demo with sentences under each topic of the mind map', () => {
    const demo = readJson('app/src/features/demo/demo.json');
    const paragraphs: AnalysisParagraph[] = demo.paragraphs.map(
      ({ id, start_time, end_time, content, words }: DemoParagraph) => ({
        ...{ id, start: start_time, end: end_time, text: content },
        words: words.map(([text, start]) => ({ text, start })),
      }),
    );
    const { title, summary, document } = analyzeTranscript({
      ...{ paragraphs, language: 'en', recordedAt: new Date(demo.recorded_at) },
      structures: structureIds.filter((id) => id !== 'custom'),
    });
    const nodes = toMindMap(title, document);
    // The demo must show exactly what the analyzer finds.
    expect(demo).toMatchObject({ ai_title: title, summary, document, mind_map: nodes });
    const branches = nodes.filter(({ parentid }) => parentid === 'root');
    expect(branches.map(({ topic }) => topic)).toEqual([
      'Tent for the garden',
      'Readers',
      'Posters',
    ]);
    for (const { id } of branches) {
      expect(nodes.filter(({ parentid }) => parentid === id)).not.toEqual([]);
    }
  });
});

describe('the user’s notes', () => {
  const talk = transcript(
    'The choir meets in the hall every week. The hall is heated in winter. The choir sings in the hall.',
    'The piano in the hall is old. The choir wants another piano for the hall.',
    'A plumber repaired the boiler yesterday evening. The hall and the choir were cold before.',
    'The choir sings motets in the hall. The hall has two doors for the choir.',
  ).map((paragraph, index) => ({ ...paragraph, start: index * 60, end: index * 60 + 59 }));
  const summaryWith = (notes: readonly AnalysisNote[]) =>
    analyzeTranscript({ paragraphs: talk, notes, language: 'en', ...defaults }).summary;
  const aboutBoiler = 'A plumber repaired the boiler yesterday evening.';

  it.each([
    ['near them', { time: 130, text: 'Who pays?' }],
    ['with their words, even if they were typed before the recording', { time: 0, text: 'boiler' }],
  ])('give more weight to sentences %s', (_, note) => {
    expect(summaryWith([])).not.toContain(aboutBoiler);
    expect(summaryWith([note])).toContain(aboutBoiler);
  });

  it('aren’t quoted, and have no effect without a relation to the transcript', () => {
    expect(summaryWith([{ time: 0, text: 'Invoices' }])).toBe(summaryWith([]));
    expect(summaryWith([{ time: 130, text: 'Invoices' }])).not.toContain('Invoices');
  });
});

describe('topic names', () => {
  it.each([
    ['en', 'The price of the tent is high. We compare the price of the tent.', 'Price of the tent'],
    ['es', 'La toma de agua está lejos. Buscamos otra toma de agua.', 'Toma de agua'],
    ['fr', 'La mairie prête le terrain. Le terrain du jardin est grand.', 'Terrain du jardin'],
    ['pt', 'A companhia de água fica longe. A companhia de água é cara.', 'Companhia de água'],
    ['ru', 'Цена на билеты выросла. Цена на билеты высокая.', 'Цена на билеты'],
    ['ja', '体育館の予約が必要です。体育館の予約は来週です。', '体育館の予約'],
    ['ko', '이삿짐 회사의 견적은 높습니다. 이삿짐 회사의 견적을 봅니다.', '이삿짐 회사의 견적'],
    ['zh-Hans', '搬家公司的报价是三万元。搬家公司的报价很高。', '搬家公司的报价'],
  ])('are phrases as spoken: %s', (language, text, name) => {
    const { topics } = analyzeTranscript({
      paragraphs: transcript(text),
      language,
      ...defaults,
    }).document;
    expect(topics.map((topic) => topic.text)).toEqual([name]);
  });
});

describe('analysis in a language other than English', () => {
  it.each([
    {
      language: 'fr',
      texts: [
        'La réunion du jardin commence à dix heures. Le jardin a besoin d’eau.',
        'Qui apporte les graines ? Les graines du jardin sont dans la cave.',
      ],
      question: 'Qui apporte les graines ?',
      keyword: 'jardin',
    },
    {
      language: 'es',
      texts: ['El tren sale a las nueve. ¿Quién compra los billetes del tren? El tren es rápido.'],
      question: '¿Quién compra los billetes del tren?',
      keyword: 'tren',
    },
    {
      language: 'ru',
      texts: ['Поезд приходит утром. Кто встретит поезд? Поезд опаздывает редко.'],
      question: 'Кто встретит поезд?',
      keyword: 'поезд',
    },
    {
      language: 'zh-Hans',
      texts: ['图书馆明天开放。谁去图书馆？图书馆很安静。'],
      question: '谁去图书馆？',
      keyword: '图书馆',
    },
    {
      language: 'ar',
      texts: ['القطار يصل صباحا. من يشتري تذاكر القطار؟ القطار سريع.'],
      question: 'من يشتري تذاكر القطار؟',
      keyword: 'القطار',
    },
  ])('finds the question and the topic, and no to-dos: $language', (sample) => {
    const { document, keywords } = analyzeTranscript({
      paragraphs: transcript(...sample.texts),
      language: sample.language,
      ...defaults,
    });
    expect(document.questions.map((item) => item.text)).toEqual([sample.question]);
    expect(keywords.some((keyword) => keyword.includes(sample.keyword))).toBe(true);
    expect(document.looked_for).toEqual([...summaryLists]);
    expect(document.todos).toEqual([]);
  });

  it('extracts only lists that require no cues if it is unsupported, and reports them', () => {
    const { document } = analyzeTranscript({
      paragraphs: transcript('Wer holt die Kinder ab? Ich hole die Kinder morgen ab.'),
      language: 'de',
      ...defaults,
    });
    expect(document.looked_for).toEqual(['questions', 'topics']);
    expect(document.questions.map((item) => item.text)).toEqual(['Wer holt die Kinder ab?']);
    expect(document.timeline).toEqual([]);
  });

  it('detects Thai questions without question marks, and Thai sentences by spaces', () => {
    const { document } = analyzeTranscript({
      paragraphs: transcript('พรุ่งนี้เราจะไปห้องสมุด ห้องสมุดเปิดกี่โมง'),
      language: 'th',
      ...defaults,
    });
    expect(document.questions.map((item) => item.text)).toEqual(['ห้องสมุดเปิดกี่โมง']);
  });
});

describe('sentences', () => {
  it('do not end at an abbreviation or an initial', () => {
    const texts = splitSentences(transcript('Dr. J. Brown called. He is late.'), 'en').map(
      (sentence) => sentence.text,
    );
    expect(texts).toEqual(['Dr. J. Brown called.', 'He is late.']);
  });

  it('have the time of their first word', () => {
    const spokenWords = 'we meet at nine who will bring the key'.split(' ');
    const words = spokenWords.map((text, index) => ({
      text,
      // A pause of one second before "who".
      start: index * 0.4 + (index >= 4 ? 1 : 0),
      end: index * 0.4 + (index >= 4 ? 1 : 0) + 0.3,
      confidence: 1,
    }));
    const [paragraph] = toParagraphs(words, { language: 'en', punctuated: false });
    if (!paragraph) throw new Error('no paragraph');
    const { document } = analyzeTranscript({
      paragraphs: [{ id: 'p1', ...paragraph, text: paragraph.content }],
      language: 'en',
      ...defaults,
    });
    expect(document.questions).toMatchObject([
      { text: 'Who will bring the key?', start_time: 2.6 },
    ]);
  });

  it('have the start time of an edited paragraph', () => {
    const [sentence] = splitSentences(
      [{ id: 'p', start: 4, end: 9, text: 'Edited.', words: [{ text: 'Old.', start: 5 }] }],
      'en',
    );
    expect(sentence?.start).toBe(4);
  });
});

describe('structures', () => {
  const spokenTexts = [
    ['Ines', "I'm calling about the broken lift. When was it last repaired?"],
    ['Paul', 'The lift was repaired in May. The repair cost 900 euros for the motor.'],
    ['Ines', 'Who pays for the lift this time? A lift motor is a kind of winch.'],
    [
      'Paul',
      "We agreed that the owners pay for the lift. I'll send the bill for the motor tomorrow.",
    ],
  ] as const;
  const paragraphs = spokenTexts.map(([speaker, text], index) => ({
    id: `p${index + 1}`,
    start: index * 10,
    end: index * 10 + 9,
    text,
    speaker,
  }));
  const template = {
    name: 'House',
    sections: [
      { heading: 'Motor', wants: '' },
      { heading: 'Weather', wants: 'rain and wind' },
    ],
  };
  const request = { paragraphs, language: 'en', ...defaults };
  const { document } = analyzeTranscript({ ...request, structures: structureIds, template });
  const itemsUnder = (structure: keyof typeof document.structures) =>
    Object.fromEntries(
      (document.structures[structure]?.sections ?? []).map(({ heading, items }) => [
        heading,
        items.map(({ text }) => text),
      ]),
    );

  it('have the headings of the contract, each in order', () => {
    for (const [id, headings] of Object.entries(structureHeadings)) {
      expect(Object.keys(itemsUnder(id as keyof typeof structureHeadings))).toEqual([...headings]);
    }
  });

  it('contain the extracted items', () => {
    expect(itemsUnder('call')).toEqual({
      reason: ["I'm calling about the broken lift."],
      agreements: ['We agreed that the owners pay for the lift.'],
      todos: ["I'll send the bill for the motor tomorrow."],
      amounts: ['The repair cost 900 euros for the motor.'],
    });
    expect(itemsUnder('lecture').knowledge).toEqual(['A lift motor is a kind of winch.']);
    expect(document.finance).toMatchObject([
      { amount: 900, currency: 'EUR', purpose: 'the motor' },
    ]);
    expect(document.todos).toMatchObject([{ when: 'tomorrow', due: '2026-03-03' }]);
  });

  it('include the interviewee’s statements in an interview', () => {
    expect(itemsUnder('interview').questions).toEqual([
      'When was it last repaired?',
      'Who pays for the lift this time?',
    ]);
    const intervieweeTexts = paragraphs
      .filter(({ speaker }) => speaker === 'Paul')
      .map(({ text }) => text);
    for (const text of itemsUnder('interview').statements ?? []) {
      expect(intervieweeTexts.some((content) => content.includes(text))).toBe(true);
    }
    expect(itemsUnder('interview').statements?.length).toBeGreaterThan(0);
  });

  it('contain sentences that share words with a custom heading, if any', () => {
    const { Motor: motor = [], Weather: weather } = itemsUnder('custom');
    expect(motor.length).toBeGreaterThan(0);
    for (const text of motor) expect(text).toContain('motor');
    expect(weather).toEqual([]);
  });

  it('are built on request, and the first is shown', () => {
    const call = analyzeTranscript({ ...request, structures: ['call', 'custom'] }).document;
    expect(Object.keys(call.structures)).toEqual(['general', 'call']);
    expect(call.structure).toBe('call');
  });
});

describe('a running analysis', () => {
  const long = transcript(
    ...Array.from({ length: 1500 }, () => 'We need to call the bridge office.'),
  );

  it('reports progress rising to 1', async () => {
    const seen: number[] = [];
    const onProgress = (fraction: number) => seen.push(fraction);
    await createBuiltinAnalyzer().analyze({
      paragraphs: long,
      language: 'en',
      ...defaults,
      onProgress,
    });
    expect(seen.length).toBeGreaterThan(5);
    expect(seen).toEqual([...seen].sort((a, b) => a - b));
    expect(seen.at(-1)).toBe(1);
  });

  it('stops when aborted', async () => {
    const caller = new AbortController();
    const analysis = createBuiltinAnalyzer().analyze({
      paragraphs: long,
      language: 'en',
      ...defaults,
      signal: caller.signal,
      onProgress: () => caller.abort(),
    });
    await expect(analysis).rejects.toMatchObject({ code: 'aborted' });
  });
});

describe('days mentioned on a Wednesday', () => {
  it.each([
    ['en', 'See you on Friday.', '2026-03-06'],
    ['en', 'It was Friday when we met.', null],
    ['en', 'See you next Friday.', null],
    ['en', 'See you next Monday.', '2026-03-09'],
    ['en', 'The fair is on 2 January.', '2027-01-02'],
    ['en', 'The fair is on 31 February.', null],
    ['en', 'The fair is on Monday, 2 March.', '2026-03-02'],
    ['en', 'The fair is on Sunday, 15 March 2027.', null],
    ['en', 'The parcel comes in three days.', '2026-03-07'],
    ['es', 'El paquete llega pasado mañana.', '2026-03-06'],
    ['pt', 'A feira é no dia 15.', '2026-03-15'],
    ['fr', 'La foire est dans deux semaines.', '2026-03-18'],
    ['ru', 'Ярмарка двадцать пятого марта.', '2026-03-25'],
    ['ar', 'المعرض بعد غد.', '2026-03-06'],
    ['ja', '来週の火曜日です。', '2026-03-10'],
    ['ko', '다음 주 화요일입니다.', '2026-03-10'],
    ['th', 'งานวันที่ 5 เมษายน', '2026-04-05'],
    ['zh-Hans', '下周二见。', '2026-03-10'],
  ])('are recognized in %s: %s', (language, text, date) => {
    const { timeline } = analyzeTranscript({
      paragraphs: transcript(text),
      language,
      structures: [],
      recordedAt: new Date('2026-03-04T10:00:00Z'),
    }).document;
    expect(timeline.map((item) => item.date)).toEqual([date]);
  });
});

describe('the built-in analyzer', () => {
  const template = {
    name: 'Mine',
    sections: [{ heading: 'The garden', wants: 'water, letters and prices' }],
  };
  const word = fc.constantFrom(
    ...[
      'we',
      'need',
      'to',
      'send',
      'the',
      'letter',
      'garden',
      'water',
      'price',
      'who',
      'will',
      'call',
      'Dr.',
      'tomorrow',
      '5 May',
      '$1,150.50',
      'two hundred pounds',
      'Anna,',
      'завтра',
      '300 рублей',
      'غداً',
      'أرسلْ',
      '٣٠ جنيهاً',
      '明天下午',
      '三千块',
      '18万4000円',
      '金曜日までに',
      '내일',
      '5만 원',
      'พรุ่งนี้',
      'สองพันบาท',
      '猫',
      'поезд',
      "don't",
      '?',
      '!',
      '…',
      '😀',
    ],
  );
  const texts = fc.array(
    fc.array(word, { maxLength: 30 }).map((words) => words.join(' ')),
    { maxLength: 12 },
  );
  const languages = fc.constantFrom(
    'en',
    'zh-Hans',
    'ar',
    'ja',
    'ko',
    'th',
    'ru',
    'es',
    'pt',
    'fr',
  );

  it('quotes every item, summary line and keyword from its source', () => {
    fc.assert(
      fc.property(texts, languages, (spokenTexts, language) => {
        const paragraphs = transcript(...spokenTexts);
        const request = { paragraphs, language, ...defaults, structures: structureIds, template };
        const analysis = analyzeTranscript(request);
        const { topics, structures, ...lists } = analysis.document;
        const { meeting: _, ...quoted } = structures;
        for (const item of allItems({ ...lists, structures: quoted, topics: [] })) {
          const source = paragraphs.find((paragraph) => paragraph.id === item.paragraph_id);
          expect(source?.text).toContain(item.text);
          expect(item.text.trim()).not.toBe('');
        }
        for (const { text, who, when, due } of lists.todos) {
          if (who !== null) expect(text).toContain(who);
          if (when !== null) expect(text).toContain(when);
          if (due !== null) expect(due).toMatch(/^\d{4}-\d\d-\d\d$/);
        }
        for (const { text, purpose } of lists.finance) {
          if (purpose !== null) expect(text).toContain(purpose);
        }
        for (const { text, when } of lists.timeline) expect(text).toContain(when);
        for (const { start_time: start, end_time: end } of topics) {
          expect(end).toBeGreaterThanOrEqual(start);
        }
        const fullText = spokenTexts.join('\n').toLowerCase();
        for (const line of analysis.summary.split('\n')) {
          expect(fullText).toContain(line.toLowerCase());
        }
        for (const keyword of analysis.keywords) {
          for (const part of keyword.split(' ')) expect(fullText).toContain(part);
        }
        expect(analysis.title.length).toBeLessThanOrEqual(60);
        expect(analyzeTranscript(request)).toEqual(analysis);
      }),
    );
  });

  it('never fails for arbitrary text in any language', () => {
    const anything = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }));
    fc.assert(
      fc.property(fc.array(anything, { maxLength: 5 }), languages, (spokenTexts, language) => {
        const paragraphs = transcript(...spokenTexts);
        const { document } = analyzeTranscript({ paragraphs, language, ...defaults });
        expect(document.version).toBe(1);
      }),
    );
  });

  it('ranks an entire transcript of many hours', () => {
    const topics = ['harvest', 'bridge', 'violin', 'market', 'winter', 'letter'];
    const paragraphs = transcript(
      ...Array.from({ length: 4000 }, (_, index) => {
        const [a, b] = [topics[index % 6], topics[Math.floor(index / 6) % 6]];
        return `The ${a} number ${index} concerns the ${b} committee. It was discussed.`;
      }),
    );
    const { document } = analyzeTranscript({ paragraphs, language: 'en', ...defaults });
    const items = (document.structures.general?.sections ?? []).flatMap((section) => section.items);
    expect(items).toHaveLength(10);
    const times = items.map((item) => item.start_time);
    expect(times).toEqual([...times].sort((a, b) => a - b));
  });
});
