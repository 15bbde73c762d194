/** Replaces the speaker names in a summary with the current names. */
import type { MindNode, SpeakerReferences, SummaryDocument } from '../calls.ts';
import { itemNodeId, rootNodeId } from '../mind-map.ts';
import { defaultSpeakerName, speakerNameIn } from '../speaker-names.ts';
import { adaptParticle } from './find-names.ts';
import {
  assigneePlace,
  collectItems,
  divideTexts,
  isOrdinaryWord,
  keywordPlace,
  linePlace,
  mapItems,
  type SummaryTexts,
  textPlace,
} from './references.ts';

/**
 * Everything generated from a transcript, and the user's edited mind map, which starts as a copy of the generated map.
 */
export interface Summary extends SummaryTexts {
  readonly mindMap: readonly MindNode[] | null;
  /** Speaker names are updated only in nodes that the user hasn't changed. */
  readonly ownMindMap: readonly MindNode[] | null;
}

/** The current speakers of a transcript. */
export interface CurrentSpeakers {
  /** The names given by the user, by label. */
  readonly names: Readonly<Record<string, string>>;
  /** The label of each paragraph's speaker. */
  readonly paragraphs: readonly { readonly id: string; readonly speaker: string | null }[];
}

type NamedText = SpeakerReferences['texts'][number];

/**
 * Returns a summary with the current names of its speakers. Changes only texts listed in the document's references. In
 * a document created by an older server, which has no references, changes only default names such as "Speaker 1". The
 * labels in the references are preserved, so the function can be applied again: undoing a change of speakers restores
 * the texts.
 * @returns the same object if nothing changes
 */
export function nameSpeakers<Texts extends Summary>(
  summary: Texts,
  current: CurrentSpeakers,
): Texts {
  const { document } = summary;
  if (!document) return summary;
  const references = document.speaker_references ?? defaultReferences(summary, current);
  const { language } = document;
  const labels = new CurrentLabels(references, current);
  /** The text before and after renaming, by place. */
  const renamed = new Map<string, readonly [before: string, after: string]>();
  const texts = references.texts.map((text) => {
    const named = nameText(text, (speaker) =>
      speakerNameIn(language, labels.currentLabel(speaker, text.paragraph_id), current.names),
    );
    for (const place of text.places) renamed.set(place, [join(text), join(named)]);
    return named;
  });
  if ([...renamed.values()].every(([before, after]) => before === after)) return summary;
  const rename: Rename = (place, text) => {
    const [before, after] = renamed.get(place) ?? [];
    // The text may differ from the reference: a recording may still have the title of an earlier summary.
    return after !== undefined && before === text ? after : text;
  };
  const { speaker_references: _, ...content } = document;
  const namedDocument = mapItems(content, (item, place) => ({
    ...item,
    text: rename(textPlace(place), item.text),
    ...(item.who && { who: rename(assigneePlace(place), item.who) }),
  })) as SummaryDocument;
  const mindMap = summary.mindMap && renameNodes(summary.mindMap, document, rename);
  return {
    ...summary,
    title: rename('title', summary.title),
    brief: rename('brief', summary.brief),
    summary: summary.summary
      .split('\n')
      .map((line, index) => rename(linePlace(index), line))
      .join('\n'),
    keywords: summary.keywords.map((keyword, index) => rename(keywordPlace(index), keyword)),
    document: { ...namedDocument, speaker_references: { ...references, texts } },
    mindMap,
    ownMindMap: renameUnchanged(summary.ownMindMap, summary.mindMap, mindMap),
  };
}

/** Returns text with the current names of its speakers. */
type Rename = (place: string, text: string) => string;

const join = ({ parts }: NamedText) =>
  parts.map((part) => (typeof part === 'string' ? part : part.name)).join('');

/** Replaces the speaker names in text. Adapts the Korean particle after each changed name. */
function nameText(text: NamedText, findName: (speaker: string) => string): NamedText {
  let previous: { readonly from: string; readonly to: string } | null = null;
  const parts = text.parts.map((part) => {
    if (typeof part === 'string') {
      const isRenamed = previous !== null && previous.from !== previous.to;
      const adapted = isRenamed ? adaptParticle(part, previous?.to ?? '') : part;
      previous = null;
      return adapted;
    }
    const name = findName(part.speaker);
    previous = { from: part.name, to: name };
    return { ...part, name };
  });
  return { ...text, parts };
}

/** Renames speakers in the root, which contains the title, and in the nodes of items. All other nodes are headings. */
function renameNodes(
  nodes: readonly MindNode[],
  document: SummaryDocument,
  rename: Rename,
): readonly MindNode[] {
  const places = new Map([[rootNodeId, 'title']]);
  for (const { id, place } of collectItems(document)) {
    const nodeId = id && itemNodeId(id);
    if (nodeId && !places.has(nodeId)) places.set(nodeId, textPlace(place));
  }
  return nodes.map((node) => {
    const path = places.get(node.id);
    return path === undefined ? node : { ...node, topic: rename(path, node.topic) };
  });
}

/** Renames speakers in those nodes of the user's mind map that are identical to the generated nodes. */
function renameUnchanged(
  own: readonly MindNode[] | null,
  created: readonly MindNode[] | null,
  renamed: readonly MindNode[] | null,
): readonly MindNode[] | null {
  if (!own || !created || !renamed) return own;
  const topics = new Map(
    created.map(({ id, topic }, index) => [id, [topic, renamed[index]?.topic]]),
  );
  return own.map((node) => {
    const [before, after] = topics.get(node.id) ?? [];
    return after !== undefined && node.topic === before ? { ...node, topic: after } : node;
  });
}

/**
 * Maps the speaker labels from when the summary was created to the current labels. Paragraphs connect the two: if none
 * of a speaker's paragraphs has its label anymore, the speaker was merged into the one that now has most of them.
 */
class CurrentLabels {
  readonly #before: ReadonlyMap<string, string>;
  readonly #now: ReadonlyMap<string, string | null>;
  readonly #mergedInto = new Map<string, string>();

  constructor({ paragraphs }: SpeakerReferences, current: CurrentSpeakers) {
    this.#before = new Map(paragraphs.map(({ paragraph_id, speaker }) => [paragraph_id, speaker]));
    this.#now = new Map(current.paragraphs.map(({ id, speaker }) => [id, speaker]));
    const counts = new Map<string, Map<string, number>>();
    /** Labels with missing paragraphs, for example because the transcript is still being received. */
    const incompleteLabels = new Set<string>();
    for (const [id, before] of this.#before) {
      const now = this.#now.get(id);
      if (now === undefined) incompleteLabels.add(before);
      if (!now) continue;
      const currentCounts = counts.get(before) ?? new Map<string, number>();
      currentCounts.set(now, (currentCounts.get(now) ?? 0) + 1);
      counts.set(before, currentCounts);
    }
    for (const [label, currentCounts] of counts) {
      const [first, second] = [...currentCounts].sort((a, b) => b[1] - a[1]);
      if (
        currentCounts.has(label) ||
        incompleteLabels.has(label) ||
        !first ||
        first[1] === second?.[1]
      )
        continue;
      this.#mergedInto.set(label, first[0]);
    }
  }

  /**
   * Returns the current label of a speaker.
   * @param paragraphId the paragraph that the text naming the speaker is based on
   */
  currentLabel(speaker: string, paragraphId: string | undefined): string {
    const isOwn = paragraphId !== undefined && this.#before.get(paragraphId) === speaker;
    const assigned = isOwn ? this.#now.get(paragraphId) : undefined;
    return assigned ?? this.#mergedInto.get(speaker) ?? speaker;
  }
}

/**
 * Creates references for a document from an older server, which stored none. Those servers gave the language model only
 * the labels of unnamed speakers, so default names can be recognized. The names that the speakers had at that time are
 * unknown.
 */
function defaultReferences(
  summary: SummaryTexts,
  { names, paragraphs }: CurrentSpeakers,
): SpeakerReferences {
  const { document } = summary;
  if (document?.kind !== 'generative') return { texts: [], paragraphs: [] };
  const { language } = document;
  const labels = new Set(Object.keys(names));
  for (const { speaker } of paragraphs) if (speaker !== null) labels.add(speaker);
  const labelsByName = new Map(
    [...labels]
      .map((label) => [defaultSpeakerName(label, language), label] as const)
      .filter(([name]) => !isOrdinaryWord(name, language)),
  );
  const attribute = (name: string) => labelsByName.get(name) ?? null;
  return { texts: divideTexts(summary, [...labelsByName.keys()], attribute), paragraphs: [] };
}
