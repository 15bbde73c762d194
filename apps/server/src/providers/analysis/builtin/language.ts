/// <reference path="./stopword.d.ts" />
import { interfaceLanguages } from '@linnet/contract/interface-languages';
import * as lists from 'stopword';

/** Additional stop words for spoken English: fillers, courtesies, light verbs, and words for place and time. */
const SPOKEN_ENGLISH = (
  'ah eh er hmm mhm mm oh uh um yeah yes yep no nope okay ok well right sure so just really actually ' +
  'basically literally maybe perhaps anyway hello hi hey bye goodbye please thanks thank sorry welcome ' +
  'good great nice fine bad big little much many lot lots bit thing things stuff something anything nothing ' +
  'everything someone anyone everyone somebody anybody everybody nobody one ones two three four five six seven ' +
  'eight nine ten eleven twelve hundred thousand first second third last next today tomorrow yesterday morning ' +
  'afternoon evening night day days week weeks month months year years hour hours minute minutes time times ' +
  'i me mine myself we us ours yours hers theirs its our ours he him she they them who whom whose which what ' +
  'when where why how am was were been being do does did done doing don dont have has had having will would ' +
  'shall should can could may might must ought need needs needed want wants wanted going go goes went gone come ' +
  'comes came get gets got getting give gives gave given take takes took taken make makes made making say says ' +
  'said tell tells told talk talking think thinks thought know knows knew see sees saw seen look looks looked ' +
  'let lets put puts keep keeps kept seem seems seemed like likes liked start starts started try tries tried ' +
  'mean means meant use uses used call calls called ask asks asked send sends sent help helps work works ' +
  'here there now then than again also too very quite rather almost already still yet always never often ' +
  'sometimes ever once twice around about above below behind near next along across through until while ' +
  'because since though although whether if unless without within per each every both few more most less least ' +
  'other another same such own only even back away off up down out over under again further far long soon late ' +
  'later early before after during between against toward towards upon onto into kind sort whole able else ' +
  'leave leaves wait waits living coming arriving leaving waiting planning signed decided moved bring brings ' +
  'not nor neither either all any some none as at by for from in of on to with and but or the a an this that ' +
  'these those is are be it you your my his her their'
).split(' ');

/** Additional stop words for the other languages. */
const ADDITIONAL_STOP_WORDS = {
  ar:
    'صباح مساء الخير النور حال الحال شكرا نعم طيب حسنا إذن يا هل كم متى أين كيف لماذا أنا نحن أنت أنتم عندنا عندي عنده كان كانت يكون ' +
    'قال قالت جدا أيضا فقط الآن بعد قبل لكن لأن كل شيء أي بعض هناك هنا أو ثم قد لقد سوف يجب تمام حاضر ممتاز حوالي',
  es:
    'hola gracias bueno buenos buenas vale bien pues sí claro hay tengo tiene tienen tenemos voy va vamos van ir hacer hace hago haz ' +
    'puede puedes pueden puedo podemos quiero quiere queremos creo sé sabe dice decir dijo aquí ahí allí así ahora luego después antes entonces ' +
    'también tampoco todavía ya cosa cosas algo alguien nada nadie todo todos toda todas mucho muchos más menos muy favor verdad usted ustedes ' +
    'estoy está están estamos ser sido era eres somos cada otra otro vez veces día días semana año años hora horas unos unas qué cuánto cuándo quién dónde cómo entre sobre yo tú él ella ellos ellas nosotros es son era eran fue fueron soy porque pero cuando donde mira oye venga igual casi desde hasta solo',
  fr:
    'bonjour bonsoir salut merci oui non bon bien alors donc voilà ben ok accord très plus moins aussi encore déjà toujours jamais rien ' +
    'quelque chose choses tout tous toute toutes faire fait fais faut peut peux pouvez peuvent veux veut voulez va vais vas allez allons aller vont dit dire dis ' +
    'sais sait savez suis êtes est-ce ai as avez avons ont était étaient sera serait cela ça ici là maintenant après avant puis ensuite quand combien comment pourquoi où qui que quoi ' +
    'monsieur madame jour jours semaine an ans heure heures fois peu beaucoup trop assez même autre autres chaque plusieurs parce comme si sous entre cette cet ces venus vous nous leur leurs ça ouais bah hein enfin mais pas pour moi toi lui eux elle elles ils on je tu il point sujet gens vraiment juste',
  ja: 'こと もの 方 件 今 後 前 次 何 誰 皆さん 私 僕 感じ 時 場合 他 一番 全部 朝 夜 人 了解 大丈夫 次 最後 本当 先生 必要 無理',
  ko: '네 예 그럼 그리고 그런데 그래서 제가 저는 저희 우리 정도 이번 지난 다음 오늘 내일 어제 정말 진짜 조금 많이 아주 매우 그 이 저 것 수 때 더 안 못 잘 다 또 혹시 사실 함께 바로 먼저 지금 감사합니다',
  pt:
    'olá oi obrigado obrigada bom boa bem sim não tá ok certo claro então também ainda já sempre nunca nada tudo todos toda todas algo alguém ninguém ' +
    'fazer faz faço vai vou vamos vão ir tem tenho temos têm ter pode posso podem podemos quer quero querem acho sei sabe disse dizer está estou estão estamos ser foi era são somos ' +
    'aqui ali lá agora depois antes hoje coisa coisas gente muito muita mais menos cada outro outra vez vezes dia dias semana ano anos hora horas que quem quando quanto quantas onde como por favor essa esse isso dessas desses uns umas precisa né pra pro eu você vocês ele ela eles elas nós mas porque ponto assunto mesmo só lembra tipo',
  ru:
    'здравствуйте привет спасибо пожалуйста да нет ну вот так там тут здесь хорошо ладно понятно конечно ещё уже тоже также только очень просто ' +
    'надо нужно нужен нужна можно есть был была было были быть будет будут буду могу может можем хочу знаю думаю говорит сказал сказала скажу ' +
    'это этот эта эти того тот та те мне меня мной нам нас вам вас вы мы он она они его её их ему ей себя сам сама когда где кто что как какой какая какое сколько почему ' +
    'потом сейчас теперь после перед пока если чтобы или либо раз день дня дней неделя год года лет час часов больше меньше всё все весь вся ага угу опять снова вроде тогда значит ничего никто вообще кстати именно вопрос',
  th: 'ครับ ค่ะ คะ นะ เลย แล้ว ก็ นี่ นั่น เรา ผม ฉัน หนู คุณ เขา มา ไป ได้ จะ อยู่ ให้ ว่า ที่ และ หรือ กัน ด้วย ดี ยัง ต้อง ไม่ อยาก กว่า สัก เดี๋ยว งั้น เพิ่ง คือ เป็น มี ของ ใน กับ คน ตัว อัน ใหม่ เอง พี่ น้อง ลุง ป้า ครู หมอ เรื่อง อีก ก่อน ถ้า แต่ ทำ เอา ใคร อะไร ครั้ง วัน',
  zh:
    '我们 你们 他们 咱们 您 您好 这个 那个 这些 那些 什么 怎么 可以 没有 没问题 已经 一下 一个 一共 还是 就是 这边 那边 时候 现在 因为 所以 但是 如果 不过 然后 应该 可能 需要 知道 觉得 谢谢 好的 东西 事情 大家 自己 一起 ' +
    '也 都 能 会 要 把 给 让 去 再 还 先 吧 吗 呢 啊 不 很 太 最 比较 用 说 看 想 是 有 没 到 从 对 行 好 上 下 里 外 前 后 个 位 次 点 块 元 另外 以后 以前 那个 这么 那么 多少 还有 其实 真的 肯定 估计 反正 最多 最少 今天 明天 昨天 后天 去年 今年 明年 可是 只 才 跟 由 被 比',
};

const LISTS: Readonly<Record<string, readonly string[]>> = {
  ar: [...lists.ara, ...splitWords(ADDITIONAL_STOP_WORDS.ar)],
  de: lists.deu,
  en: [...lists.eng, ...SPOKEN_ENGLISH],
  es: [...lists.spa, ...splitWords(ADDITIONAL_STOP_WORDS.es)],
  fr: [...lists.fra, ...splitWords(ADDITIONAL_STOP_WORDS.fr)],
  it: lists.ita,
  ja: [...lists.jpn, ...splitWords(ADDITIONAL_STOP_WORDS.ja)],
  ko: [...lists.kor, ...splitWords(ADDITIONAL_STOP_WORDS.ko)],
  pt: [...lists.por, ...lists.porBr, ...splitWords(ADDITIONAL_STOP_WORDS.pt)],
  ru: [...lists.rus, ...splitWords(ADDITIONAL_STOP_WORDS.ru)],
  th: [...lists.tha, ...splitWords(ADDITIONAL_STOP_WORDS.th)],
  zh: [...lists.zho, ...splitWords(ADDITIONAL_STOP_WORDS.zh)],
};

function splitWords(list: string): string[] {
  return list.split(' ');
}

/** Returns the primary subtag: `en-GB` → `en`. */
export function primaryLanguage(tag: string): string {
  return tag.toLowerCase().split('-')[0] ?? '';
}

const cache = new Map<string, ReadonlySet<string>>();

/** Returns a language's stop words, or an empty set if there is no list. */
export function getStopWords(language: string): ReadonlySet<string> {
  const primary = primaryLanguage(language);
  const cached = cache.get(primary);
  if (cached) return cached;
  const stopWordSet = new Set((LISTS[primary] ?? []).map((word) => word.toLowerCase()));
  cache.set(primary, stopWordSet);
  return stopWordSet;
}

const scripts: readonly (readonly [RegExp, string])[] = [
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/u, 'ja'],
  [/\p{Script=Hangul}/u, 'ko'],
  [/\p{Script=Han}/u, 'zh'],
  [/\p{Script=Thai}/u, 'th'],
  [/\p{Script=Arabic}/u, 'ar'],
  [/\p{Script=Cyrillic}/u, 'ru'],
];

/** Returns the interface languages that text may be in, most likely first. */
export function detectLanguages(text: string): string[] {
  const script = scripts.find(([pattern]) => pattern.test(text));
  if (script) return script[1] === 'zh' ? detectIdeographic(text) : [script[1]];
  const words = text.toLowerCase().match(/[\p{L}\p{M}']+/gu) ?? [];
  const scores = interfaceLanguages
    .map(({ language }) => primaryLanguage(language))
    .filter((language) => !scripts.some(([, other]) => other === language))
    .map((language) => {
      const stopWords = getStopWords(language);
      return { language, count: words.filter((word) => stopWords.has(word)).length };
    })
    .sort((a, b) => b.count - a.count);
  const bestCount = scores[0]?.count ?? 0;
  return scores.filter(({ count }) => count === bestCount).map(({ language }) => language);
}

/** The ideographs of simplified Chinese, traditional Chinese and Japanese. */
let ideographs: readonly ReadonlySet<string>[] | undefined;

/**
 * Returns the languages of a text in ideographs only. It may be Japanese without kana ("会議日程") or Chinese. Of most
 * texts, one of the languages' character sets lacks a character.
 */
function detectIdeographic(text: string): string[] {
  ideographs ??= [
    readIdeographs('gbk', 0xa1),
    readIdeographs('big5', 0x40),
    readIdeographs('euc-jp', 0xa1),
  ];
  const characters = text.match(/\p{Script=Han}/gu) ?? [];
  const [isSimplified, isTraditional, isJapanese] = ideographs.map((set) =>
    characters.every((character) => set.has(character)),
  );
  if (!isJapanese) return ['zh'];
  return isSimplified || isTraditional ? ['zh', 'ja'] : ['ja'];
}

/**
 * Reads the ideographs of a two-byte encoding from its decoder.
 * @param firstTrail the lowest second byte. From 0xa1, GBK is limited to the simplified characters of GB 2312.
 */
function readIdeographs(encoding: string, firstTrail: number): ReadonlySet<string> {
  const bytes: number[] = [];
  for (let lead = 0xa1; lead <= 0xf9; lead += 1) {
    for (let trail = firstTrail; trail <= 0xfe; trail += 1) bytes.push(lead, trail);
  }
  const characters = new TextDecoder(encoding).decode(Uint8Array.from(bytes));
  return new Set(characters.match(/\p{Script=Han}/gu));
}
