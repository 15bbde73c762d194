import type { Paragraph } from '@linnet/contract';
import type { RecordingEdit } from '@linnet/contract/operations';

/** Number of speaker colors (`--voice-1` …). */
const voiceColors = 6;

/** Returns the transcript's speaker labels in order, including named speakers who have no paragraph. */
export function speakerLabels(
  paragraphs: readonly Paragraph[],
  names: Readonly<Record<string, string>>,
): string[] {
  const labels = new Set(Object.keys(names));
  for (const { speaker } of paragraphs) if (speaker !== undefined) labels.add(speaker);
  return [...labels].sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
}

/** Returns a paragraph and the later ones of the same speaker. */
export function paragraphsFrom(
  paragraphs: readonly Paragraph[],
  { id, speaker }: Paragraph,
): readonly Paragraph[] {
  const start = paragraphs.findIndex((item) => item.id === id);
  if (start < 0) return [];
  return paragraphs.slice(start).filter((item) => item.speaker === speaker);
}

/** Returns the next unused numeric label. */
export function nextLabel(labels: readonly string[]): string {
  let number = labels.length + 1;
  while (labels.includes(String(number))) number += 1;
  return String(number);
}

/** Returns a speaker's color, 1 to {@link voiceColors}, which is the same in all paragraphs. */
export function voiceColor(labels: readonly string[], label: string): number {
  return (Math.max(0, labels.indexOf(label)) % voiceColors) + 1;
}

/** Returns the names proposed for speakers, keyed by the ID of the speaker's first paragraph. */
export function proposalPlaces(
  paragraphs: readonly Paragraph[],
  proposals: Readonly<Record<string, string>>,
): ReadonlyMap<string, string> {
  const places = Object.entries(proposals).flatMap(([label, name]) => {
    const first = paragraphs.find(({ speaker }) => speaker === label);
    return first ? [[first.id, name] as const] : [];
  });
  return new Map(places);
}

/**
 * Returns the edit that dismisses the name proposed for a speaker. For older servers, which don't support this edit, it
 * sets an empty name instead, which also removes a name set on another device in the meantime.
 */
export function createDismissal(
  recording: string,
  speaker: string,
  hasOwnEdit: boolean,
): RecordingEdit {
  return hasOwnEdit
    ? { type: 'recording.dismissProposal', recording, speaker }
    : { type: 'recording.speaker', recording, speaker, name: '' };
}
