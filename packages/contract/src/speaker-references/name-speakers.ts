/** Shows the current names of the speakers in a summary. */
import type { MindNode, SpeakerReferences, SummaryDocument } from '../calls.ts';
import { defaultSpeakerName, speakerNameIn } from '../speaker-names.ts';
import { adaptParticle } from './find-names.ts';
import {
  divideTexts,
  isOrdinaryWord,
  itemsOf,
  mapItems,
  type PlacedItem,
  placeKey,
  type SummaryTexts,
} from './references.ts';

/** Everything that is created from a transcript, and the user's own mind map, which starts as a copy of the created one. */
export interface Summary extends SummaryTexts {
  readonly mindMap: readonly MindNode[] | null;
  /** Nodes that the user hasn't changed follow the created map. All others stay as they are. */
  readonly ownMindMap: readonly MindNode[] | null;
}

/** The speakers of a transcript as they are now. */
export interface CurrentSpeakers {
  /** The user's names, by label. */
  readonly names: Readonly<Record<string, string>>;
  /** The label of each paragraph's speaker. */
  readonly paragraphs: readonly { readonly id: string; readonly speaker: string | null }[];
}

type NamedText = SpeakerReferences['texts'][number];

/**
 * Returns a summary with the current names of its speakers. Only texts listed in the document's references change, or, in
 * a document of an older server, default names such as "Speaker 1". The labels in the references stay, so that the
 * result can be named again: undoing a change of speakers restores the texts.
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
  const renamed = new Map<string, NamedText>();
  const texts = references.texts.map((text) => {
    const named = nameText(text, (speaker) =>
      speakerNameIn(language, labels.of(speaker, text.paragraph_id), current.names),
    );
    renamed.set(placeKey({ text: join(text), paragraph_id: text.paragraph_id ?? null }), named);
    return named;
  });
  if (texts.every((text, index) => join(text) === join(references.texts[index] as NamedText))) {
    return summary;
  }
  const rename = (text: string, paragraph_id: string | null = null) => {
    const named = renamed.get(placeKey({ text, paragraph_id }));
    return named ? join(named) : text;
  };
  const renameItem = <Item extends PlacedItem>(item: Item): Item => ({
    ...item,
    text: rename(item.text, item.paragraph_id),
    ...(item.who && { who: rename(item.who, item.paragraph_id) }),
  });
  const { speaker_references: _, ...content } = document;
  const namedDocument = mapItems(content, renameItem) as SummaryDocument;
  const points = new Map(
    itemsOf(document).map((item) => [item.text, rename(item.text, item.paragraph_id)]),
  );
  const mindMap = summary.mindMap?.map((node) => renameNode(node, rename)) ?? null;
  return {
    ...summary,
    title: rename(summary.title),
    brief: rename(summary.brief),
    // The lines are the points of a structure.
    summary: summary.summary
      .split('\n')
      .map((line) => points.get(line) ?? rename(line))
      .join('\n'),
    keywords: summary.keywords.map((keyword) => rename(keyword)),
    document: { ...namedDocument, speaker_references: { ...references, texts } },
    mindMap,
    ownMindMap: renameUnchanged(summary.ownMindMap, summary.mindMap, mindMap),
  };
}

const join = ({ parts }: NamedText) =>
  parts.map((part) => (typeof part === 'string' ? part : part.name)).join('');

/** Returns a text with the names that `nameOf` returns for its speakers. */
function nameText(text: NamedText, nameOf: (speaker: string) => string): NamedText {
  let previous: { readonly from: string; readonly to: string } | null = null;
  const parts = text.parts.map((part) => {
    if (typeof part === 'string') {
      const isRenamed = previous !== null && previous.from !== previous.to;
      const adapted = isRenamed ? adaptParticle(part, previous?.to ?? '') : part;
      previous = null;
      return adapted;
    }
    const name = nameOf(part.speaker);
    previous = { from: part.name, to: name };
    return { ...part, name };
  });
  return { ...text, parts };
}

function renameNode(
  node: MindNode,
  rename: (text: string, paragraph_id?: string | null) => string,
): MindNode {
  return { ...node, topic: rename(node.topic, node.paragraph_id) };
}

/** Renames the nodes of the user's map that are the same as in the created one. */
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

/** Finds the current labels of speakers by the paragraphs that they spoke when the summary was created. */
class CurrentLabels {
  readonly #before: ReadonlyMap<string, string>;
  readonly #now: ReadonlyMap<string, string | null>;
  readonly #mergedInto = new Map<string, string>();

  constructor({ paragraphs }: SpeakerReferences, current: CurrentSpeakers) {
    this.#before = new Map(paragraphs.map(({ paragraph_id, speaker }) => [paragraph_id, speaker]));
    this.#now = new Map(current.paragraphs.map(({ id, speaker }) => [id, speaker]));
    const counts = new Map<string, Map<string, number>>();
    for (const [id, before] of this.#before) {
      const now = this.#now.get(id);
      if (!now) continue;
      const ofLabel = counts.get(before) ?? new Map<string, number>();
      ofLabel.set(now, (ofLabel.get(now) ?? 0) + 1);
      counts.set(before, ofLabel);
    }
    for (const [label, ofLabel] of counts) {
      const [first, second] = [...ofLabel].sort((a, b) => b[1] - a[1]);
      if (ofLabel.has(label) || !first || first[1] === second?.[1]) continue;
      this.#mergedInto.set(label, first[0]);
    }
  }

  /** @param paragraphId the paragraph of the text in which the speaker is named */
  of(speaker: string, paragraphId: string | undefined): string {
    const isOwn = paragraphId !== undefined && this.#before.get(paragraphId) === speaker;
    const assigned = isOwn ? this.#now.get(paragraphId) : undefined;
    return assigned ?? this.#mergedInto.get(speaker) ?? speaker;
  }
}

/**
 * Returns references for a document of an older server, which told the language model only the label of a speaker
 * without a name. Default names are recognized; names from that time are unknown.
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
