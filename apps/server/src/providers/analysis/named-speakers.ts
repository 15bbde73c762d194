/** Analyzes transcripts with speaker labels, and records where the summary mentions speakers by name. */
import type { SpeakerReferences } from '@linnet/contract';
import { speakerNameIn } from '@linnet/contract/speaker-names';
import { divideTexts, type PlacedText } from '@linnet/contract/speaker-references';
import { containsQuote } from './generative/place.ts';
import type { Analysis, AnalysisParagraph, AnalyzeRequest, TranscriptAnalyzer } from './port.ts';

/** A paragraph with its speaker's label in place of the name. */
export type LabeledParagraph = Omit<AnalysisParagraph, 'speaker'> & {
  readonly speaker: string | null;
};

export type LabeledRequest = Omit<AnalyzeRequest, 'paragraphs'> & {
  readonly paragraphs: readonly LabeledParagraph[];
  /** The user's names of the speakers, by label. */
  readonly names: Readonly<Record<string, string>>;
};

/**
 * Maximum number of sample paragraphs per speaker, by which the speaker is identified after speakers were reassigned.
 */
const MAX_SAMPLES = 8;

/**
 * Analyzes a transcript. The analyzer receives the speakers' names, or default names in the summary's language. An
 * extractive summary only quotes, so it has no references to speakers.
 * @throws AnalysisFailure
 */
export async function analyzeLabeled(
  analyzer: TranscriptAnalyzer,
  { paragraphs, names, ...request }: LabeledRequest,
): Promise<Analysis> {
  const language = request.summaryLanguage ?? request.language;
  const getName = (label: string) => speakerNameIn(language, label, names);
  const analysis = await analyzer.analyze({
    ...request,
    paragraphs: paragraphs.map(({ speaker, ...paragraph }) => ({
      ...paragraph,
      ...(speaker !== null && { speaker: getName(speaker) }),
    })),
  });
  if (analysis.document.kind === 'extractive') return analysis;
  const { notes = [] } = request;
  const references = findReferences(analysis, paragraphs, getName, [
    ...paragraphs.map(({ text }) => text),
    ...notes.map(({ text }) => text),
  ]);
  return { ...analysis, document: { ...analysis.document, speaker_references: references } };
}

/**
 * Finds the names in the analysis that refer to speakers. A name that also occurs in the transcript is ambiguous,
 * because it may be a quotation or refer to someone else. It doesn't count as a reference in two cases: in an item
 * whose paragraph was spoken by the speaker, if that paragraph contains the name, and anywhere else, if any paragraph
 * or note contains it.
 * @param sources everything that the analyzer received, except for the speakers' names
 */
function findReferences(
  analysis: Analysis,
  paragraphs: readonly LabeledParagraph[],
  getName: (label: string) => string,
  sources: readonly string[],
): SpeakerReferences {
  const byId = new Map(paragraphs.map((paragraph) => [paragraph.id, paragraph]));
  const labelsByName = new Map<string, string[]>();
  for (const label of new Set(paragraphs.flatMap(({ speaker }) => speaker ?? []))) {
    const name = getName(label);
    labelsByName.set(name, [...(labelsByName.get(name) ?? []), label]);
  }
  const wasRead = new Map<string, boolean>();
  const isRead = (name: string) => {
    const known = wasRead.get(name) ?? sources.some((text) => containsQuote(name, text));
    wasRead.set(name, known);
    return known;
  };
  const attribute = (name: string, { paragraph_id }: PlacedText): string | null => {
    const labels = labelsByName.get(name) ?? [];
    const paragraph = paragraph_id === null ? undefined : byId.get(paragraph_id);
    if (paragraph?.speaker && labels.includes(paragraph.speaker)) {
      return containsQuote(name, paragraph.text) ? null : paragraph.speaker;
    }
    const [label, ...others] = labels;
    // Speakers with the same name can't be distinguished.
    return label === undefined || others.length > 0 || isRead(name) ? null : label;
  };
  const texts = divideTexts(analysis, [...labelsByName.keys()], attribute);
  const cited = new Set(texts.flatMap(({ paragraph_id }) => paragraph_id ?? []));
  return { texts, paragraphs: sampleSpeakers(paragraphs, cited) };
}

/** Returns the speakers of all cited paragraphs, and of up to `MAX_SAMPLES` evenly spaced paragraphs per speaker. */
function sampleSpeakers(
  paragraphs: readonly LabeledParagraph[],
  cited: ReadonlySet<string>,
): SpeakerReferences['paragraphs'] {
  const bySpeaker = new Map<string, string[]>();
  for (const { id, speaker } of paragraphs) {
    if (speaker !== null) bySpeaker.set(speaker, [...(bySpeaker.get(speaker) ?? []), id]);
  }
  return [...bySpeaker].flatMap(([speaker, ids]) => {
    const step = Math.max(1, (ids.length - 1) / (MAX_SAMPLES - 1));
    const samples = Array.from({ length: Math.min(MAX_SAMPLES, ids.length) }, (_, index) =>
      Math.round(index * step),
    );
    const sampled = new Set(samples.map((index) => ids[index]));
    return ids
      .filter((id) => sampled.has(id) || cited.has(id))
      .map((id) => ({ paragraph_id: id, speaker }));
  });
}
