import * as lists from 'stopword';

/**
 * Words of spoken English that carry no topic, beyond the usual stop words:
 * fillers, courtesies, light verbs, and words that only place something.
 */
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

const LISTS: Readonly<Record<string, readonly string[]>> = {
  ar: lists.ara,
  de: lists.deu,
  en: [...lists.eng, ...SPOKEN_ENGLISH],
  es: lists.spa,
  fr: lists.fra,
  it: lists.ita,
  ja: lists.jpn,
  ko: lists.kor,
  pt: [...lists.por, ...lists.porBr],
  ru: lists.rus,
  th: lists.tha,
  zh: lists.zho,
};

/** The primary subtag: `en` of `en-GB`. */
export function primaryLanguage(tag: string): string {
  return tag.toLowerCase().split('-')[0] ?? '';
}

const cache = new Map<string, ReadonlySet<string>>();

/** Words without a topic of their own; empty for a language without a list. */
export function stopwords(language: string): ReadonlySet<string> {
  const primary = primaryLanguage(language);
  const known = cache.get(primary);
  if (known) return known;
  const made = new Set((LISTS[primary] ?? []).map((word) => word.toLowerCase()));
  cache.set(primary, made);
  return made;
}
