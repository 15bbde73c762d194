import type { SummaryListName } from '@linnet/contract/structures';
import { isEnglishQuestion } from '../../../transcript/english.ts';
import { primaryLanguage } from './language.ts';
import type { Sentence } from './sentences.ts';

/**
 * What gives a kind of sentence away. Only cues that are nearly always right
 * are here: a list that says nothing is better than one that invents.
 */

const lead =
  '(?:and |so |then |but |also |okay |well |yes |now |first |tomorrow |today |tonight )*';
const verb = '(?!be |have |see |say |admit |think |know |like |love |hope )[a-z]+';
/** What somebody is asked, or promises, to do. */
const deed =
  '(?:add|arrange|ask|book|bring|buy|call|check|clean|collect|confirm|contact|cancel|deliver|draft|email|' +
  'file|finish|fix|follow up|get|give|invite|mail|make|move|order|organi[sz]e|pay|pick up|plan|prepare|print|' +
  'reserve|review|schedule|send|set up|share|sign|speak|submit|take|talk|test|update|upload|visit|write)';

const TODO_CUES: readonly RegExp[] = [
  new RegExp(
    `\\b(?:i|we|you|he|she|they|someone|somebody) (?:also |still |really )?(?:need|needs|have|has) to ${verb}`,
  ),
  new RegExp(`\\b(?:i've|we've|you've|i have|we have|you have) got to ${verb}`),
  new RegExp(`\\b(?:i|we|you) (?:must|should) (?:also |still )?${verb}`),
  new RegExp(`^${lead}(?:i|we) (?:will|shall|am going to|are going to) (?:also |then )?${deed}\\b`),
  new RegExp(`^${lead}(?:i'll|we'll|i'm going to|we're going to) (?:also |then )?${deed}\\b`),
  // "Robert will call the company": a name, and a deed that people do
  new RegExp(`^${lead}(?!it |that |this |there |nobody |what |who |which )[a-z]+ will ${deed}\\b`),
  /\b(?:please |do not |don't |must not |mustn't )(?:remember|forget) to [a-z]+/,
  new RegExp(`^${lead}remember to [a-z]+`),
  /\bmake sure (?:that |to |we |you |i )/,
  new RegExp(`^${lead}please ${deed}\\b`),
  new RegExp(`^${lead}(?:can|could|would|will) you (?:please )?${deed}\\b`),
  new RegExp(`^${lead}let's ${deed}\\b`),
];

/** "We don't need to", "I should have": nothing to do (any more). */
const NOTHING_TO_DO =
  /\b(?:not|never|n't|don't|doesn't|didn't|no longer) (?:need|have|has) to\b|\b(?:should|must) have\b/;

const QUESTION_MARK = /[?？؟]["'”’»)\]]*$/u;

/** Asked out of courtesy, not to be answered later. */
const COURTESY =
  /^(?:and |so |hi |hello )*(?:how are you|how do you do|how can i help|how may i help|what can i do for you|can you hear|can i help|are you there|you know)\b/;

/** Thai writes questions without a mark, so an absence of marks says nothing there. */
const WITHOUT_QUESTION_MARKS = new Set(['th']);

/** Which lists are looked for in a language. */
export function listsLookedFor(language: string): SummaryListName[] {
  const primary = primaryLanguage(language);
  const questions: SummaryListName[] = WITHOUT_QUESTION_MARKS.has(primary) ? [] : ['questions'];
  return primary === 'en' ? ['todos', ...questions] : questions;
}

export function isTodo(sentence: Sentence, language: string): boolean {
  if (primaryLanguage(language) !== 'en') return false;
  const plain = sentence.words.join(' ').replaceAll('’', "'");
  return !NOTHING_TO_DO.test(plain) && TODO_CUES.some((cue) => cue.test(plain));
}

export function isQuestion(sentence: Sentence, language: string): boolean {
  const primary = primaryLanguage(language);
  if (WITHOUT_QUESTION_MARKS.has(primary)) return false;
  const plain = sentence.words.join(' ').replaceAll('’', "'");
  if (primary === 'en' && COURTESY.test(plain)) return false;
  if (QUESTION_MARK.test(sentence.text)) return true;
  return primary === 'en' && isEnglishQuestion(plain.split(' '));
}

/** How English speakers say what a recording is about; the rest of the sentence is its name. */
const ANNOUNCEMENTS: readonly RegExp[] = [
  /^(?:here is|here are|here's) (.+)$/,
  /^(?:this is|this will be) (?:a |my )?(?:note|memo|recording|reminder) (?:about|on|for|of) (.+)$/,
  /^(?:today|now|this time) (?:we are|we're|i am|i'm) (?:talking about |discussing )?(.+)$/,
  /^(?:today |now )?(?:let's|let us|we want to|i want to|we'll|we will) (?:talk about|discuss|speak about) (.+)$/,
  /^(?:i am|i'm) calling (?:you )?(?:about|because of|to) (.+)$/,
  /\b(?:i'd|i would) like to (.+)$/,
];

/** What a sentence announces, in the words of the sentence, or undefined. */
export function announcedTopic(sentence: Sentence, language: string): string | undefined {
  if (primaryLanguage(language) !== 'en') return undefined;
  const plain = sentence.text.replace(/[.!?]+$/, '').replaceAll('’', "'");
  for (const cue of ANNOUNCEMENTS) {
    const rest = new RegExp(cue.source, 'i').exec(plain)?.[1];
    if (rest !== undefined) return rest;
  }
  return undefined;
}
