import type { MindNode, SummaryDocument, SummaryItem } from '@linnet/contract';
import { limits } from '@linnet/contract/limits';
import { itemNodeId, rootNodeId } from '@linnet/contract/mind-map';
import { sectionName } from './section-words.ts';

interface Branch {
  readonly node: Omit<MindNode, 'parentid'>;
  readonly leaves: readonly SummaryItem[];
}

/**
 * Converts a summary to a tree: the title, its topics (or the sections of the requested structure), and their items.
 * The same document always yields the same tree with the same IDs, and an item that keeps its ID also keeps its node
 * ID. If the tree is too large, leaves are dropped from the end.
 */
export function toMindMap(title: string, document: SummaryDocument): MindNode[] {
  const sections = (document.structures[document.structure] ?? document.structures.general)
    ?.sections;
  const points = (sections ?? []).flatMap(({ items }) => items);
  const branches =
    document.topics.length > 0
      ? topicBranches(document.topics, points)
      : sectionBranches(sections ?? [], (heading) =>
          // A custom heading is kept as written, even if it equals one of the predefined keys.
          document.structure === 'custom' ? heading : sectionName(heading, document.language),
        );
  const root = { id: rootNodeId, parentid: '', topic: title };
  const branchNodes = branches.map(({ node }) => ({ ...node, parentid: rootNodeId }));
  const leaves = branches.flatMap(({ node, leaves }) =>
    leaves.map((item) => ({ ...createNode(item), parentid: node.id })),
  );
  const usedIds = new Set<string>();
  return [root, ...branchNodes, ...leaves]
    .filter(({ id }) => !usedIds.has(id) && usedIds.add(id))
    .slice(0, limits.recording.mindNodes);
}

/** Assigns each point to the last topic that started before it, or to the first topic if none started earlier. */
function topicBranches(
  topics: SummaryDocument['topics'],
  points: readonly SummaryItem[],
): Branch[] {
  const ordered = topics.toSorted((a, b) => a.start_time - b.start_time);
  const findTopicIndex = (point: SummaryItem) =>
    Math.max(
      0,
      ordered.findLastIndex((topic) => topic.start_time <= point.start_time),
    );
  const topicIndexes = points.map(findTopicIndex);
  const branches = ordered.map((topic, topicIndex) => ({
    node: createNode(topic),
    leaves: points.filter(
      ({ text }, index) => topicIndexes[index] === topicIndex && text !== topic.text,
    ),
  }));
  const [only, ...others] = branches;
  // A single topic would be redundant, so its points become the branches instead.
  return only && others.length === 0 && only.leaves.length > 1
    ? only.leaves.map((item) => ({ node: createNode(item), leaves: [] }))
    : branches;
}

/** Converts sections to branches. A single section would be redundant, so its items become the branches instead. */
function sectionBranches(
  sections: NonNullable<SummaryDocument['structures']['general']>['sections'],
  name: (heading: string) => string,
): Branch[] {
  const [onlySection, ...others] = sections;
  if (onlySection && others.length === 0) {
    return onlySection.items.map((item) => ({ node: createNode(item), leaves: [] }));
  }
  return sections.map(({ heading, items }, index) => ({
    node: { id: `section-${index + 1}`, topic: name(heading) },
    leaves: items,
  }));
}

function createNode({ id, text, paragraph_id, start_time }: SummaryItem): Branch['node'] {
  return { id: itemNodeId(id), topic: text, paragraph_id, start_time };
}
