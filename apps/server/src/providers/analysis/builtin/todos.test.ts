import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { AnalysisParagraph } from '../port.ts';
import { analyzeTranscript } from './index.ts';

/** Sentences by language, one per line. A line with `+` is a to-do. */
const folder = join(import.meta.dirname, 'todo-sentences');
const files = readdirSync(folder).map((file) => ({
  language: file.replace('.txt', ''),
  lines: readFileSync(join(folder, file), 'utf8').trim().split('\n'),
}));

function analyze(paragraphs: readonly AnalysisParagraph[], language = 'en') {
  return analyzeTranscript({
    paragraphs,
    language,
    structures: [],
    recordedAt: new Date('2026-03-04T10:00:00Z'),
  }).document;
}

/** Creates a paragraph per text, spoken by two speakers in turn. */
function dialog(...texts: string[]): AnalysisParagraph[] {
  return texts.map((text, index) => ({
    id: `p${index}`,
    start: index * 10,
    end: index * 10 + 9,
    speaker: index % 2 === 0 ? 'A' : 'B',
    text,
  }));
}

describe('promises and requests are distinguished from habits, reports, predictions and immediate actions', () => {
  it.each(files)('in $language', ({ language, lines }) => {
    const detected = lines.map((line) => {
      const text = line.slice(2);
      const { todos } = analyze([{ id: 'p', start: 0, end: 5, text }], language);
      return `${todos.length > 0 ? '+' : '-'} ${text}`;
    });
    expect(detected).toEqual(lines);
    expect(lines.filter((line) => line.startsWith('+')).length).toBeGreaterThan(30);
    expect(lines.filter((line) => line.startsWith('-')).length).toBeGreaterThan(60);
  });
});

describe('a task that is declined or withdrawn', () => {
  it.each([
    ['en', "I'll bring the tent on Friday.", 'No need. We have one.'],
    ['es', 'Yo llamo al fontanero mañana.', 'No hace falta, gracias.'],
    ['fr', 'Je vous envoie la liste demain.', 'Pas la peine, merci.'],
    ['pt', 'Eu levo o bolo amanhã.', 'Não precisa, obrigada.'],
    ['ru', 'Зайдите завтра в кафе, узнайте про скидку.', 'Не надо.'],
    ['ar', 'سأرسل القائمة غداً.', 'لا داعي.'],
    ['ja', '明日お茶を買っておきますね。', 'いえ、結構です。'],
    ['ko', '내일 제가 사 올게요.', '아니요, 그러실 필요 없어요.'],
    ['th', 'พรุ่งนี้ผมจะซื้อน้ำมาให้', 'ไม่ต้องหรอก'],
    ['zh-Hans', '我明天把名单发给你。', '不用了，谢谢。'],
    ['en', "I'll book the hall on Friday.", 'Oh, Nina already did that.'],
    ['es', 'Mañana compro las bombillas.', 'Ya las ha comprado Nina.'],
    ['fr', 'Je vous envoie la liste demain.', "Je l'ai déjà, merci."],
    ['pt', 'Eu compro as lâmpadas amanhã.', 'Eu já comprei.'],
    ['ru', 'Завтра куплю лампочки.', 'Я уже купила.'],
    ['ar', 'سأتصل بالسباك غداً.', 'اتصلت به أمس.'],
    ['ja', '明日電球を買っておきますね。', 'もう買いましたよ。'],
    ['ko', '내일 제가 전구 사 올게요.', '벌써 샀어요.'],
    ['th', 'พรุ่งนี้ผมจะซื้อหลอดไฟมาให้', 'ซื้อแล้วค่ะ'],
    ['zh-Hans', '我明天去买灯泡。', '我已经买了。'],
    ['en', 'Please water the plants in the vestry.', 'I did that on the way in.'],
    ['ru', 'Сделайте это на этой неделе, продлите страховку.', 'Уже продлил, в телефоне.'],
    ['ar', 'يا سمير، نظف الآلة الكبيرة قبل نهاية الدوام.', 'نظفتها أمس يا معلم.'],
    ['zh-Hans', '老李，车子你周六去保养一下。', '我昨天刚去过。'],
  ])('is not a to-do: %s', (language, offer, reply) => {
    expect(analyze(dialog(offer), language).todos).toHaveLength(1);
    expect(analyze(dialog(offer, reply), language).todos).toEqual([]);
  });

  it('remains a to-do if something else is unnecessary', () => {
    const { todos } = analyze(
      dialog("I'll send you the contract tomorrow. No need to print the old one."),
    );
    expect(todos.map(({ text }) => text)).toEqual(["I'll send you the contract tomorrow."]);
  });
});

describe('a command or promise of fewer than five words', () => {
  it.each([
    ['en', 'Keep it there.', 'Keep it there until Friday.'],
    ['es', 'Mire, aquí está.', 'Tráigalo el viernes.'],
    ['fr', 'Laisse tomber.', 'Apporte-le vendredi.'],
    ['pt', 'Pega aqui.', 'Traga na sexta.'],
  ])('needs a date: %s', (language, now, dated) => {
    expect(analyze(dialog(now), language).todos).toEqual([]);
    expect(analyze(dialog(dated), language).todos).toHaveLength(1);
  });
});

describe('a question', () => {
  const questionsIn = (...texts: string[]) =>
    analyze(dialog(...texts)).questions.map(({ text }) => text);

  it('does not count if its speaker answers it', () => {
    expect(questionsIn('Will anyone miss the old logo? No, nobody.')).toEqual([]);
    expect(questionsIn('Will anyone miss the old logo?', 'No, nobody.')).toHaveLength(1);
  });

  it("does not count if it echoes another speaker's words", () => {
    expect(questionsIn('For a clamp? That is a lot.')).toEqual([]);
    expect(questionsIn('For how long? We close at six.')).toHaveLength(1);
  });

  it('does not count among the greetings of a long conversation without an interrogative word', () => {
    const talk = Array.from({ length: 9 }, (_, index) => `The hall has room ${index}.`);
    expect(questionsIn('Did you sleep well?', ...talk)).toEqual([]);
    expect(questionsIn('What time does the hall open?', ...talk)).toHaveLength(1);
  });
});
