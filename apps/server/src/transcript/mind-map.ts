import type { MindNode, SummaryDocument, SummaryItem } from '@linnet/contract';
import { limits } from '@linnet/contract/limits';
import { sectionName } from './section-words.ts';

const rootId = 'root';

interface Branch {
  readonly node: Omit<MindNode, 'parentid'>;
  readonly leaves: readonly SummaryItem[];
}

/**
 * A summary as a tree: the title, below it the topics (else the sections of the structure that was asked
 * for), below these what was found. Pure: the same document gives the same tree with the same ids, and an
 * item that keeps its id keeps its node's. When there is more than a map may hold, the leaves that come
 * last are left out.
 */
export function toMindMap(title: string, document: SummaryDocument): MindNode[] {
  const sections = (document.structures[document.structure] ?? document.structures.general)
    ?.sections;
  const points = (sections ?? []).flatMap(({ items }) => items);
  const branches =
    document.topics.length > 0
      ? topicBranches(document.topics, points)
      : sectionBranches(sections ?? [], (heading) =>
          // The owner's words are theirs, also where they are the same as one of our keys.
          document.structure === 'custom' ? heading : sectionName(heading, document.language),
        );
  const root = { id: rootId, parentid: '', topic: title };
  const trunk = branches.map(({ node }) => ({ ...node, parentid: rootId }));
  const leaves = branches.flatMap(({ node, leaves }) =>
    leaves.map((item) => ({ ...nodeOf(item), parentid: node.id })),
  );
  const seen = new Set<string>();
  return [root, ...trunk, ...leaves]
    .filter(({ id }) => !seen.has(id) && seen.add(id))
    .slice(0, limits.recording.mindNodes);
}

/** Points go to the topic within which they were said: the last one that began before, else the first. */
function topicBranches(
  topics: SummaryDocument['topics'],
  points: readonly SummaryItem[],
): Branch[] {
  const ordered = topics.toSorted((a, b) => a.start_time - b.start_time);
  const placeOf = (point: SummaryItem) =>
    Math.max(
      0,
      ordered.findLastIndex((topic) => topic.start_time <= point.start_time),
    );
  const places = points.map(placeOf);
  return ordered.map((topic, place) => ({
    node: nodeOf(topic),
    leaves: points.filter((_, index) => places[index] === place),
  }));
}

/** A lone section says nothing that the root does not: its items are branches themselves. */
function sectionBranches(
  sections: NonNullable<SummaryDocument['structures']['general']>['sections'],
  name: (heading: string) => string,
): Branch[] {
  const [only, ...others] = sections;
  if (only && others.length === 0) {
    return only.items.map((item) => ({ node: nodeOf(item), leaves: [] }));
  }
  return sections.map(({ heading, items }, index) => ({
    node: { id: `section-${index + 1}`, topic: name(heading) },
    leaves: items,
  }));
}

function nodeOf({ id, text, paragraph_id, start_time }: SummaryItem): Branch['node'] {
  return { id: `item-${id}`, topic: text, paragraph_id, start_time };
}
