import { describe, expect, it } from 'vitest';
import { wordJoiner } from '../paragraphs.ts';
import { carryHighlights } from './highlights.ts';
import { carrySpeakers } from './speakers.ts';
import { carryTexts } from './texts.ts';
import type { SourceParagraph, TargetParagraph } from './types.ts';

/** Returns reproducible random numbers from 0 to 1. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Passages of about a minute, with spaces between words in all languages. */
const passages: readonly (readonly [string, string])[] = [
  [
    'en',
    'good morning everyone we start with the garden beds behind the school the soil arrives on tuesday and the boxes must be ready before then who can bring a second shovel and two buckets the city pays for the seeds but not for the tools so we need thirty euros from the fund please write down who has a key for the gate last year it was locked on the first day and we waited an hour in the rain',
  ],
  [
    'fr',
    'bonjour à tous nous commençons par le jardin derrière la mairie la terre arrive mardi et les caisses doivent être prêtes avant qui peut apporter une deuxième pelle et deux seaux la ville paie les graines mais pas les outils il nous faut donc trente euros de la caisse notez aussi qui possède une clé du portail car il était fermé le premier jour et nous avons attendu une heure sous la pluie',
  ],
  [
    'es',
    'buenos días a todos empezamos con el huerto detrás de la escuela la tierra llega el martes y las cajas deben estar listas antes quién puede traer otra pala y dos cubos el ayuntamiento paga las semillas pero no las herramientas así que necesitamos treinta euros del fondo apunten también quién tiene una llave de la puerta porque estaba cerrada el primer día y esperamos una hora bajo la lluvia',
  ],
  [
    'pt',
    'bom dia a todos começamos pela horta atrás da escola a terra chega na terça e as caixas devem ficar prontas antes quem pode trazer outra pá e dois baldes a prefeitura paga as sementes mas não as ferramentas então precisamos de trinta reais do fundo anotem também quem tem a chave do portão porque estava fechado no primeiro dia e esperamos uma hora na chuva',
  ],
  [
    'ru',
    'доброе утро всем начинаем с огорода за школой земля приедет во вторник и ящики должны быть готовы раньше кто может принести вторую лопату и два ведра город платит за семена но не за инструменты поэтому нам нужно тридцать рублей из кассы запишите у кого есть ключ от ворот потому что в первый день они были закрыты и мы ждали целый час под дождём',
  ],
  [
    'ar',
    'صباح الخير جميعا نبدأ بالحديقة خلف المدرسة تصل التربة يوم الثلاثاء ويجب أن تكون الصناديق جاهزة قبل ذلك من يستطيع أن يحضر مجرفة ثانية ودلوين تدفع البلدية ثمن البذور لكن ليس ثمن الأدوات لذلك نحتاج ثلاثين دينارا من الصندوق اكتبوا أيضا من لديه مفتاح البوابة لأنها كانت مغلقة في اليوم الأول وانتظرنا ساعة تحت المطر',
  ],
  [
    'ja',
    'おはよう ございます まず 学校 の 裏 の 花壇 から 始め ましょう 土 は 火曜日 に 届く ので 箱 は その 前 に 用意 します 誰 か もう 一 本 シャベル と バケツ を 持っ て 来 られ ます か 種 の 代金 は 市 が 払い ます が 道具 は 別 な ので 会費 から 三千 円 必要 です 門 の 鍵 を 持っ て いる 人 も 書い て ください 去年 は 初日 に 閉まっ て い て 雨 の 中 で 一 時間 待ち まし た',
  ],
  [
    'zh-Hans',
    '大家 早上 好 我们 先 说 学校 后面 的 花坛 泥土 星期二 送到 木箱 必须 在 那 之前 准备 好 谁 能 再 带 一把 铁锹 和 两个 水桶 种子 由 市里 付钱 可是 工具 不算 所以 需要 从 会费 里 拿 三十 块 请 记下 谁 有 大门 的 钥匙 去年 第一天 门 锁着 我们 在 雨里 等了 一个 小时',
  ],
  [
    'ko',
    '여러분 안녕하세요 먼저 학교 뒤 화단부터 시작합니다 흙은 화요일에 도착하니 상자는 그 전에 준비해야 합니다 누가 삽을 하나 더 가져오고 양동이도 두 개 챙길 수 있나요 씨앗값은 시에서 내지만 도구는 아니어서 회비에서 삼만 원이 필요합니다 정문 열쇠를 가진 분도 적어 주세요 작년에는 첫날 문이 잠겨 있어서 비를 맞으며 한 시간 기다렸습니다',
  ],
  [
    'th',
    'สวัสดี ทุกคน เรา เริ่ม จาก แปลง ดอกไม้ หลัง โรงเรียน ดิน จะ มา วัน อังคาร และ ต้อง เตรียม กล่อง ให้ เสร็จ ก่อน ใคร เอา พลั่ว มา อีก เล่ม กับ ถัง น้ำ สอง ใบ ได้ บ้าง เมือง จ่าย ค่า เมล็ด แต่ ไม่ จ่าย ค่า เครื่องมือ จึง ต้อง ใช้ เงิน กองกลาง สาม ร้อย บาท ช่วย จด ด้วย ว่า ใคร มี กุญแจ ประตู ปีก่อน ประตู ปิด วันแรก และ เรา รอ กลาง ฝน หนึ่ง ชั่วโมง',
  ],
];

/** A spoken word as recognized by an engine, or null if the engine missed it. */
type RecognizedWord = string | null;

interface Speech {
  readonly joiner: string;
  readonly words: readonly string[];
  readonly turns: readonly number[];
  readonly first: readonly RecognizedWord[];
  readonly second: readonly RecognizedWord[];
}

/**
 * A passage spoken by three people, as recognized by two engines, with some common errors and some different errors.
 */
function createSpeech(language: string, text: string, seed: number): Speech {
  const random = createRandom(seed);
  const words = text.split(' ');
  const mistake = (word: string): RecognizedWord => {
    if (random() < 0.15) return null;
    const letters = [...word].slice(0, -1).join('');
    return random() < 0.5 && letters ? letters : (words[Math.floor(random() * words.length)] ?? '');
  };
  let speaker = 0;
  const turns = words.map((_, n) => {
    if (n % 11 === 10) speaker = (speaker + 1 + Math.floor(random() * 2)) % 3;
    return speaker;
  });
  const first = words.map((word) => (random() < 0.25 ? mistake(word) : word));
  const second = words.map((word, n) => {
    const mishearing = first[n] === word ? (random() < 0.05 ? mistake(word) : word) : first[n];
    if (first[n] === word) return mishearing ?? null;
    const dice = random();
    return dice < 0.4 ? (first[n] ?? null) : dice < 0.85 ? word : mistake(word);
  });
  return { joiner: wordJoiner(language), words, turns, first, second };
}

/** Divides the words of a speech where the speaker changes and where a paragraph is full. */
function divide({ turns }: Speech, maxWords: number): number[][] {
  const parts: number[][] = [];
  turns.forEach((turn, n) => {
    const part = parts.at(-1);
    if (part && turns[part[0] ?? 0] === turn && part.length < maxWords) part.push(n);
    else parts.push([n]);
  });
  return parts;
}

describe('ten recordings that two engines transcribed', () => {
  const edits = { placed: 0, total: 0 };

  it.each(passages)(
    'have every change placed or listed, and every highlight and name placed: %s',
    async (language, text) => {
      const speech = createSpeech(
        language,
        text,
        language.charCodeAt(0) * 256 + language.charCodeAt(1),
      );
      const { words, turns, first, second, joiner } = speech;
      const random = createRandom(7);
      const edited = new Set(
        [...words.keys()].filter((n) => first[n] !== words[n] && random() < 0.8),
      );
      const toTime = (n: number) => n * 0.45;
      const speak = (part: readonly number[], heard: (n: number) => RecognizedWord) =>
        part.flatMap((n) => heard(n) ?? []).join(joiner);
      const from = divide(speech, 9).map(
        (part, n): SourceParagraph => ({
          id: `a${n}`,
          start: toTime(part[0] ?? 0),
          end: toTime((part.at(-1) ?? 0) + 1),
          before: speak(part, (word) => first[word] ?? null),
          content: speak(part, (word) => (edited.has(word) ? words[word] : first[word]) ?? null),
          isHighlighted: n % 3 === 0,
          speaker: String((turns[part[0] ?? 0] ?? 0) + 1),
          isAssigned: false,
        }),
      );
      const parts = divide(speech, 14);
      const jitter = () => (random() - 0.5) * 0.4;
      const to = parts.map(
        (part, n): TargetParagraph => ({
          id: `b${n}`,
          start: Math.max(0, toTime(part[0] ?? 0) + jitter()),
          end: toTime((part.at(-1) ?? 0) + 1) + jitter(),
          content: speak(part, (word) => second[word] ?? null),
          words: part.flatMap((word) => {
            const [start, end] = [toTime(word) + jitter(), toTime(word + 1) + jitter()];
            return second[word] ? [{ text: second[word], start, end, confidence: 1 }] : [];
          }),
          speaker: ['C', 'A', 'B'][turns[part[0] ?? 0] ?? 0] ?? null,
        }),
      );

      const { texts, unplaced } = await carryTexts(from, to);
      const after = to.map(({ id, content }) => {
        return texts.find(({ paragraph }) => paragraph === id)?.value ?? content;
      });
      const letters = `^${after.join('')}$`.replaceAll(/\s/g, '');
      /**
       * Returns the words that may be next to a word. A word that an engine missed or repeated may be missing there.
       */
      const neighbors = (n: number, step: 1 | -1, word = words[n]): string[] => {
        const neighborIndex = n + step;
        if (!(neighborIndex in words)) return [step > 0 ? '$' : '^'];
        const recognizedWords = [first[neighborIndex] ?? null, second[neighborIndex] ?? null];
        const isOptional = recognizedWords.some((one) => one === null || one === word);
        const wordsBeyond = isOptional ? neighbors(neighborIndex, step, word) : [];
        return [
          ...new Set(
            [words[neighborIndex], ...recognizedWords, ...wordsBeyond].flatMap(
              (word) => word ?? [],
            ),
          ),
        ];
      };
      const isPlaced = (n: number) =>
        neighbors(n, -1).some((left) =>
          neighbors(n, 1).some((right) => letters.includes(`${left}${words[n]}${right}`)),
        );
      const isListed = (n: number) => unplaced.some((one) => one.text.includes(words[n] ?? ''));
      const placed = [...edited].filter(isPlaced);
      edits.total += edited.size;
      edits.placed += placed.length;
      const lostWords = [...edited].filter((n) => !isPlaced(n) && !isListed(n));
      expect(lostWords.map((n) => words[n])).toEqual([]);

      const highlights = carryHighlights(from, to);
      const names = { 1: 'Ann', 2: 'Ben', 3: 'Cy' };
      const speakers = carrySpeakers(from, to, names);
      expect(highlights.unplaced).toEqual([]);
      for (const [n, { id, isHighlighted, start, end }] of from.entries()) {
        const goals = highlights.highlights.flatMap(({ paragraph, sources }) =>
          sources.includes(id) ? to.filter((one) => one.id === paragraph) : [],
        );
        expect(goals.length > 0, `highlight ${n}`).toBe(isHighlighted);
        for (const goal of goals) {
          const shared = Math.min(goal.end, end) - Math.max(goal.start, start);
          expect(shared / Math.min(goal.end - goal.start, end - start)).toBeGreaterThan(0.45);
        }
      }
      expect([speakers.names, speakers.unplaced]).toEqual([{ C: 'Ann', A: 'Ben', B: 'Cy' }, []]);
    },
  );

  it('have at least 95% of the changes in the right place', () => {
    expect(edits.total).toBeGreaterThan(100);
    expect(edits.placed / edits.total).toBeGreaterThanOrEqual(0.95);
  });
});
