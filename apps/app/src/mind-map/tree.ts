import type { MindNode } from '@linnet/contract';

/** A node of a mind map with what hangs on it. */
export type Twig = {
  readonly id: string;
  readonly topic: string;
  /** Where it was said; `time` in seconds. Null for what its owner wrote. */
  readonly source: { readonly paragraph: string; readonly time: number | null } | null;
  readonly twigs: readonly Twig[];
};

/**
 * The tree that a list of nodes tells; null where there is no root. What hangs on nothing, or on itself,
 * hangs on the root: another program may have written the list, and nothing of it is lost from sight.
 */
export function treeOf(nodes: readonly MindNode[]): Twig | null {
  const root = nodes.find(({ parentid }) => parentid === '') ?? nodes[0];
  if (!root) return null;
  const below = Map.groupBy(
    nodes.filter((node) => node !== root),
    ({ parentid }) => parentid,
  );
  const seen = new Set<string>([root.id]);
  const grow = (node: MindNode): Twig => {
    const twigs: Twig[] = [];
    for (const child of below.get(node.id) ?? []) {
      if (seen.has(child.id)) continue;
      seen.add(child.id);
      twigs.push(grow(child));
    }
    return toTwig(node, twigs);
  };
  const tree = grow(root);
  const lost: Twig[] = [];
  for (const node of nodes) {
    if (seen.has(node.id)) continue;
    seen.add(node.id);
    lost.push(grow(node));
  }
  return lost.length > 0 ? { ...tree, twigs: [...tree.twigs, ...lost] } : tree;
}

function toTwig({ id, topic, paragraph_id, start_time }: MindNode, twigs: readonly Twig[]): Twig {
  const source = paragraph_id ? { paragraph: paragraph_id, time: start_time ?? null } : null;
  return { id, topic, source, twigs };
}

/** The list of nodes that tells a tree, from the root down and siblings in their order. */
export function nodesOf(tree: Twig, parentid = ''): MindNode[] {
  const { id, topic, source, twigs } = tree;
  const said = source && {
    paragraph_id: source.paragraph,
    ...(source.time !== null && { start_time: source.time }),
  };
  return [{ id, parentid, topic, ...said }, ...twigs.flatMap((twig) => nodesOf(twig, id))];
}

/** How many nodes there are, the root among them. */
export function sizeOf(tree: Twig): number {
  return tree.twigs.reduce((sum, twig) => sum + sizeOf(twig), 1);
}

/** The way from the root to a node, both among it; empty where the node is not in the tree. */
export function wayTo(tree: Twig, id: string): Twig[] {
  if (tree.id === id) return [tree];
  for (const twig of tree.twigs) {
    const way = wayTo(twig, id);
    if (way.length > 0) return [tree, ...way];
  }
  return [];
}
