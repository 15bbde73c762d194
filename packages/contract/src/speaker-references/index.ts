/**
 * References of summaries to speakers. The server stores them when it creates a summary (`divideTexts`); server and phones
 * resolve them to the current names (`nameSpeakers`).
 */
export { type CurrentSpeakers, nameSpeakers, type Summary } from './name-speakers.ts';
export { divideTexts, type PlacedText, type SummaryTexts } from './references.ts';
