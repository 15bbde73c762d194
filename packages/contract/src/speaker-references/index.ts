/**
 * Tracks which words of a summary are speaker names, so the names stay up to date when speakers are renamed or merged.
 * The server stores these references when it creates a summary (`divideTexts`). Server and phones replace them with the
 * current names (`nameSpeakers`).
 */
export { type CurrentSpeakers, nameSpeakers, type Summary } from './name-speakers.ts';
export { divideTexts, type PlacedText, type SummaryTexts } from './references.ts';
