import { describe, expect, it } from 'vitest';
import type { AnalyzeRequest } from '../port.ts';
import { parseAnswer } from './answer.ts';
import { answerSchemas, selectStructures } from './wire.ts';

const structures = selectStructures({ structures: [] } as unknown as AnalyzeRequest);
const { notes: schema, draft } = answerSchemas(structures);

const complete = {
  title: 'Harbour',
  brief: 'About the {harbour} and "its" lighthouse.',
  keywords: ['harbour'],
  sections: { overview: [{ text: 'It is white.', source: 'p1' }] },
  todos: [{ text: 'Paint it', source: 'p1', who: 'Anna', when: 'Friday', due: '2026-03-06' }],
  knowledge_points: [],
  needs: [],
  questions: [],
  finance: [
    { text: 'Paint', source: 'p2', said: '5,000', amount: 5000, currency: 'EUR', purpose: null },
  ],
  timeline: [],
  topics: [{ text: 'Paint', source: 'p1', until: 'p2' }],
};
const json = JSON.stringify(complete);
const pretty = JSON.stringify(complete, null, 2);

describe('JSON in an answer', () => {
  it.each([
    ['alone', pretty],
    ['with prose around it', `Sure! Here {it} is: ${json} Hope this helps {you}.`],
    [
      'with prose around its fence',
      `Here is the JSON:\n\`\`\`json\n${pretty}\n\`\`\`\nAnything else?`,
    ],
    ['in a fence with a language in capitals', `\`\`\`JSON\n${pretty}\n\`\`\``],
    ['in a fence without a language', `\`\`\`\n${pretty}\n\`\`\``],
    ['after reasoning', `<think>Is it {"title": "Wrong"}?\n</think>\n\n${json}`],
    ['after reasoning without an opening tag', `Is it {"title": "Wrong"}?</think>${json}`],
    ['after reasoning in a capitalized tag', `<Thinking>{"title": "Wrong"}</Thinking>${json}`],
    ['after reasoning in brackets', `[THINK]{"title": "Wrong"}[/THINK]${json}`],
    [
      'after reasoning in a channel',
      `<|channel|>analysis<|message|>{"title": "Wrong"}<|end|><|start|>assistant<|channel|>final<|message|>${json}`,
    ],
    ['only in its reasoning', `<think>${json}</think>`],
    ['in reasoning that never ends', `<think>Well: ${json}`],
    ['in an array', `[${json}]`],
    ['in an object', `{"notes": ${json}}`],
    ['after its schema', `{"type":"object","properties":{"title":{"type":"string"}}}\n${json}`],
    ['with trailing commas', pretty.replace(/([^[,{])\n/g, '$1,\n').replace(/,\n}$/, '\n,}')],
    ['with single quotes', `{'title': 'Harbour', ${json.slice('{"title":"Harbour",'.length)}`],
    ['with a comment', json.replace('{', '{ // the notes\n')],
    ['with line breaks in a text', json.replace('"It is white."', '"It is white."\n')],
    ['without its last braces', json.slice(0, -2)],
  ])('is found %s', (_, text) => {
    expect(parseAnswer(text, schema)).toEqual({ problem: null, value: complete });
  });

  it.each([
    ['nothing', ''],
    ['prose', 'Sorry! I cannot do that.'],
    ['a list of texts', '["a", "b"]'],
    ['a different object', '{"error": "overloaded"}'],
    ['an empty object', '{}'],
    ['an empty answer', '{"title": "", "sections": {"overview": []}, "todos": [{}]}'],
    ['its schema', JSON.stringify({ properties: { title: { type: 'string' } } })],
    ['braces alone', '{'.repeat(100_000)],
  ])('is not found in %s', (_, text) => {
    expect(parseAnswer(text, schema).problem).toMatch(/^(no JSON|the JSON has none)/);
  });
});

describe('an answer with a different form', () => {
  const read = (change: object) => {
    const answer = parseAnswer(JSON.stringify({ ...complete, ...change }), schema);
    if (answer.problem !== null) throw new Error(answer.problem);
    return answer.value;
  };
  const [todo] = complete.todos;
  const [sum] = complete.finance;

  it('has empty lists and texts where they are missing or null', () => {
    const value = read({ brief: undefined, keywords: null, sections: {}, todos: undefined });
    expect(value).toEqual({
      ...complete,
      ...{ brief: '', keywords: [], sections: { overview: [] }, todos: [] },
    });
    expect(parseAnswer('{"title": "A"}', draft)).toEqual({
      problem: null,
      value: { title: 'A', brief: '', keywords: [], sections: { overview: [] } },
    });
  });

  it('has null where nullable fields are missing, empty or of a different type', () => {
    const { due: _, ...withoutDue } = { ...todo, who: '', when: undefined };
    expect(read({ todos: [withoutDue] }).todos).toEqual([
      { ...todo, who: null, when: null, due: null },
    ]);
    expect(read({ finance: [{ ...sum, amount: {} }] }).finance).toEqual([{ ...sum, amount: null }]);
  });

  it.each([
    ['5000', 5000],
    ['5,000', 5000],
    ['1,250,000.50', 1_250_000.5],
    ['€ 19.90', 19.9],
    ['-3', -3],
    ['1.250', null],
    ['1.250,00', null],
    ['a few', null],
    ['5 thousand', null],
    ['', null],
  ])('has the number %j as %s', (amount, expected) => {
    expect(read({ finance: [{ ...sum, amount }] }).finance).toEqual([{ ...sum, amount: expected }]);
  });

  it('omits only the entries that are not items', () => {
    expect(read({ todos: [null, 'Call', 3, todo] }).todos).toEqual([todo]);
    expect(read({ todos: todo }).todos).toEqual([todo]);
    expect(read({ todos: [{ ...todo, source: ['p1', 'p2'] }] }).todos).toEqual([todo]);
    expect(read({ sections: [complete.sections] }).sections).toEqual(complete.sections);
    expect(read({ title: 2026 }).title).toBe('2026');
  });
});
