import { describe, expect, it } from 'vitest';
import { detectLanguages } from '../providers/analysis/builtin/language.ts';
import { findContainedTypes, findExpectedTypes } from './answer-types.ts';
import { answerConcepts } from './answer-words.ts';
import { readConcepts } from './concepts/lexicon.ts';

describe('a question', () => {
  const expected = (question: string) => [
    ...findExpectedTypes(question, detectLanguages(question)),
  ];
  it.each([
    ['How many chairs did we order?', 'number'],
    ['What was the price of the carpet?', 'number'],
    ['When does the plumber come?', 'time'],
    ['On which day is the concert?', 'time'],
    ['Why did she sell the car?', 'reason'],
    ['Where do we keep the ladder?', 'place'],
    ['In which city is the trade fair?', 'place'],
    ['With whom did he play chess?', 'person'],
    ['¿Cuánto cuesta la alfombra?', 'number'],
    ['¿A qué hora llega el fontanero?', 'time'],
    ['¿Por qué vendió el coche?', 'reason'],
    ['¿Dónde guardamos la escalera?', 'place'],
    ['¿Quién toca el piano?', 'person'],
    ['Combien de chaises avons-nous commandées ?', 'number'],
    ['Quand vient le plombier ?', 'time'],
    ['Pourquoi a-t-elle vendu la voiture ?', 'reason'],
    ['D’où vient cette échelle ?', 'place'],
    ['Qui joue du piano ?', 'person'],
    ['Quantas cadeiras encomendamos?', 'number'],
    ['A que horas chega o encanador?', 'time'],
    ['Por que ela vendeu o carro?', 'reason'],
    ['Onde guardamos a escada?', 'place'],
    ['Quem toca piano?', 'person'],
    ['Сколько стульев мы заказали?', 'number'],
    ['Когда придёт сантехник?', 'time'],
    ['Во сколько начинается концерт?', 'time'],
    ['Во сколько обошёлся ковёр?', 'number'],
    ['Почему она продала машину?', 'reason'],
    ['Где мы храним лестницу?', 'place'],
    ['Кто играет на пианино?', 'person'],
    ['كم كرسياً طلبنا؟', 'number'],
    ['متى يأتي السبّاك؟', 'time'],
    ['لماذا باعت السيارة؟', 'reason'],
    ['أين نضع السلّم؟', 'place'],
    ['من يعزف على البيانو؟', 'person'],
    ['椅子は何脚、全部でいくらでしたか。', 'number'],
    ['水道屋さんはいつ来ますか。', 'time'],
    ['なぜ車を売ったのですか。', 'reason'],
    ['はしごはどこにありますか。', 'place'],
    ['ピアノを弾くのは誰ですか。', 'person'],
    ['의자를 몇 개 주문했나요?', 'number'],
    ['배관공은 몇 시에 오나요?', 'time'],
    ['왜 차를 팔았나요?', 'reason'],
    ['사다리는 어디에 있나요?', 'place'],
    ['피아노는 누가 치나요?', 'person'],
    ['สั่งเก้าอี้กี่ตัว', 'number'],
    ['ช่างประปาจะมาเมื่อไหร่', 'time'],
    ['ทำไมเธอถึงขายรถ', 'reason'],
    ['บันไดอยู่ที่ไหน', 'place'],
    ['ใครเล่นเปียโน', 'person'],
    ['我们订了几把椅子，一共多少钱？', 'number'],
    ['水管工什么时候来？', 'time'],
    ['她为什么卖车？', 'reason'],
    ['梯子放在哪里？', 'place'],
    ['谁弹钢琴？', 'person'],
  ])('expects an answer of one type: %s', (question, type) => {
    expect(expected(question)).toEqual([type]);
  });

  it.each([
    'What did she say when it rained?',
    'How do we clean the carpet?',
    'Qu’est-ce qui manque dans la cave ?',
    '¿Qué dijo cuando llovió?',
    'O que ele disse quando choveu?',
    'Что она сказала, когда шёл дождь?',
    'ماذا قالت عندما نزل المطر؟',
    '絨毯はどうやって洗いますか。',
    '카펫은 어떻게 씻나요?',
    'ซักพรมอย่างไร',
    '地毯怎么洗？',
  ])('expects no type of answer: %s', (question) => {
    expect(expected(question)).toEqual([]);
  });

  it('expects two types of answer if it has two parts', () => {
    expect(expected('Who brings the chairs, and how many?')).toEqual(['person', 'number']);
  });
});

describe('a paragraph', () => {
  const contained = (text: string, language: string, ...concepts: string[]) =>
    findContainedTypes(text, language, new Set(concepts));
  it.each([
    ['en', 'number', 'It came to ninety in the end.', 'The other ones went quickly.'],
    ['es', 'number', 'Al final salió por noventa.', 'Al final vino uno de ellos.'],
    ['fr', 'number', 'Il en faut une douzaine.', 'Il en faut une autre.'],
    ['pt', 'number', 'Custou noventa.', 'Custou um pouco.'],
    ['ru', 'number', 'Вышло девяносто.', 'Один из них ушёл.'],
    ['ar', 'number', 'دفعنا تسعين في النهاية.', 'دفعنا في النهاية.'],
    ['ja', 'number', '九十円でした。', '一番いいですね。'],
    ['ko', 'number', '구십만 원이었어요.', '이 일은 만만치 않아요.'],
    ['th', 'number', 'เก้าสิบบาท', 'สามีฉันซื้อเก้าอี้ให้เรียบร้อย'],
    ['zh', 'number', '一共九十块。', '一个也没有。'],
    ['en', 'time', 'He comes on Tuesday.', 'He comes by bus.'],
    ['ja', 'time', '来週の火曜日に来ます。', '自転車で来ます。'],
    ['en', 'reason', 'Because the brakes were worn.', 'The brakes were worn.'],
    ['th', 'reason', 'เพราะเบรกเสีย', 'เบรกเสีย'],
    ['en', 'place', 'She lives in Lisbon now.', 'She sings in June.'],
    ['ja', 'place', '横浜駅で会いましょう。', '会いましょう。'],
    ['ru', 'person', 'Потом придёт Ольга.', 'Потом придёт автобус.'],
    ['zh', 'person', '张老师来了。', '下雨了。'],
  ] as const)('contains a type of answer in %s: %s', (language, type, text, other) => {
    expect(contained(text, language)).toContain(type);
    expect(contained(other, language)).not.toContain(type);
  });

  it('contains a type of answer if it mentions a concept of that type', () => {
    expect(contained('It stands behind it.', 'en', 'church')).toEqual(['place']);
    expect(contained('It stands behind it.', 'en', 'milk')).toEqual([]);
  });

  it('contains no type of answer in a language without patterns', () => {
    expect(contained('42 Stühle', 'de')).toEqual([]);
  });
});

it('the types of answers refer only to concepts in the lexicon', () => {
  const names = new Set(readConcepts().map(({ name }) => name));
  const unknown = Object.values(answerConcepts)
    .flat()
    .filter((concept) => !names.has(concept));
  expect(unknown).toEqual([]);
});
