import type { MindNode } from '@linnet/contract';
import { describe, expect, it } from 'vitest';
import { findSpot, insert, move, moveByStep, removeBranch, rename } from './edits.ts';
import { buildTree, countNodes, findPath, flattenTree, type MindMapBranch } from './tree.ts';

const nodes: MindNode[] = [
  { id: 'root', parentid: '', topic: 'Garden' },
  { id: 'a', parentid: 'root', topic: 'Trees', paragraph_id: 'p1', start_time: 3 },
  { id: 'b', parentid: 'root', topic: 'Water' },
  { id: 'a1', parentid: 'a', topic: 'Olives' },
  { id: 'a2', parentid: 'a', topic: 'Figs' },
];
const tree = buildTree(nodes) as MindMapBranch;
const ids = (branch: MindMapBranch): string =>
  `${branch.id}(${branch.children.map(ids).join(' ')})`;

describe('buildTree and flattenTree', () => {
  it('restore the tree after conversion to a node list and back', () => {
    expect(ids(tree)).toBe('root(a(a1() a2()) b())');
    expect(buildTree(flattenTree(tree))).toEqual(tree);
    expect(flattenTree(tree).find(({ id }) => id === 'a')).toEqual(nodes[1]);
    expect(countNodes(tree)).toBe(5);
    expect(findPath(tree, 'a2').map(({ id }) => id)).toEqual(['root', 'a', 'a2']);
  });

  it('attach orphans, self-referencing nodes and cycles to the root', () => {
    const oddTree = buildTree([
      ...nodes,
      { id: 'x', parentid: 'gone', topic: 'Lost' },
      { id: 'y', parentid: 'y', topic: 'Own tail' },
      { id: 'c1', parentid: 'c2', topic: 'Circle' },
      { id: 'c2', parentid: 'c1', topic: 'Circle' },
    ]) as MindMapBranch;
    expect(countNodes(oddTree)).toBe(9);
    expect(ids(oddTree)).toBe('root(a(a1() a2()) b() x() y() c1(c2()))');
    expect(buildTree([])).toBeNull();
  });
});

describe('edits', () => {
  it('rename, insert and remove nodes', () => {
    expect(findPath(rename(tree, 'a1', 'Oaks'), 'a1').at(-1)?.topic).toBe('Oaks');
    expect(rename(tree, 'a1', 'Olives')).toBe(tree);
    const branch: MindMapBranch = { id: 'n', topic: 'New', source: null, children: [] };
    expect(ids(insert(tree, 'a', branch, 1))).toBe('root(a(a1() n() a2()) b())');
    expect(ids(insert(tree, 'b', branch))).toBe('root(a(a1() a2()) b(n()))');
    expect(ids(removeBranch(tree, 'a'))).toBe('root(b())');
    expect(removeBranch(tree, 'root')).toBe(tree);
  });

  it('move a node, but not into its own subtree', () => {
    expect(ids(move(tree, 'a', 'b'))).toBe('root(b(a(a1() a2())))');
    expect(ids(move(tree, 'a2', 'a', 0))).toBe('root(a(a2() a1()) b())');
    expect(move(tree, 'a', 'a2')).toBe(tree);
    expect(move(tree, 'a', 'a')).toBe(tree);
    expect(move(tree, 'root', 'a')).toBe(tree);
    expect(move(tree, 'a', 'nowhere')).toBe(tree);
    expect(findSpot(tree, 'a2')).toEqual({ parent: 'a', place: 1 });
  });

  it('change nothing when a node is moved to its own position', () => {
    for (const spot of [0, 1]) expect(move(tree, spot === 0 ? 'a' : 'b', 'root', spot)).toBe(tree);
    expect(move(tree, 'a2', 'a')).toBe(tree);
    expect(ids(move(tree, 'a1', 'a'))).toBe('root(a(a2() a1()) b())');
  });

  it('move a node by one step in each direction', () => {
    expect(ids(moveByStep(tree, 'a2', 'up'))).toBe('root(a(a2() a1()) b())');
    expect(ids(moveByStep(tree, 'a1', 'down'))).toBe('root(a(a2() a1()) b())');
    expect(ids(moveByStep(tree, 'b', 'in'))).toBe('root(a(a1() a2() b()))');
    expect(ids(moveByStep(tree, 'a1', 'out'))).toBe('root(a(a2()) a1() b())');
    for (const direction of ['up', 'in'] as const)
      expect(moveByStep(tree, 'a', direction)).toBe(tree);
    expect(moveByStep(tree, 'b', 'down')).toBe(tree);
    expect(moveByStep(tree, 'a', 'out')).toBe(tree);
  });
});
