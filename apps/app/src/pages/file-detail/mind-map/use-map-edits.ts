import { toHex } from '@linnet/base';
import type { MindNode } from '@linnet/contract';
import { limits } from '@linnet/contract/limits';
import { useEffect, useMemo, useRef, useState } from 'react';
import { count } from '../../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../../i18n/index.ts';
import { type MindMapBranch, nodesOf, sizeOf, treeOf } from '../../../mind-map/tree.ts';
import { useSave } from '../../../page-kit/saving.ts';
import { useServices } from '../../../page-kit/services-context.ts';
import { useToast } from '../../../ui/toast.tsx';
import type { OpenRecord } from '../open-record.ts';

/** The user's version of the map; null if the generated map is unchanged. */
type CustomMap = readonly MindNode[] | null;

/** An undoable edit: the map before the edit, and the function that applies it. */
type Step = { before: CustomMap; readonly apply: (own: CustomMap) => CustomMap };

/** A unique node id. `crypto.randomUUID` is unavailable on plain-HTTP addresses of a home network. */
export function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return `own-${toHex(bytes)}`;
}

/** The mind map of a recording and its edits. Each edit can be undone while the page is open. */
export function useMapEdits(record: OpenRecord) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { library } = useServices();
  const save = useSave();
  const show = useToast();
  // The optimistic value, shown until the database confirms it.
  const [optimistic, setOptimistic] = useState<{ own: CustomMap } | null>(null);
  const pendingWrites = useRef(0);
  const history = useRef<Step[]>([]);
  const [undoCount, setUndoCount] = useState(0);
  const stored = record.mind_map;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new value from the database is the confirmation.
  useEffect(() => {
    if (pendingWrites.current === 0) setOptimistic(null);
  }, [stored]);
  const own = optimistic ? optimistic.own : stored;
  const nodes = own ?? record.xmind_json;
  const tree = useMemo(() => (nodes ? treeOf(nodes) : null), [nodes]);

  async function write(next: CustomMap): Promise<void> {
    setOptimistic({ own: next });
    pendingWrites.current += 1;
    try {
      await library.edit({
        type: 'recording.mindMap',
        recording: record.id,
        mind_map: next && [...next],
      });
    } catch (error) {
      // A failed write must not stay visible.
      setOptimistic(null);
      throw error;
    } finally {
      pendingWrites.current -= 1;
    }
  }
  function applyEdit(apply: Step['apply'], words?: string): void {
    const step: Step = { before: own, apply };
    history.current.push(step);
    setUndoCount(history.current.length);
    save(() => write(apply(own)));
    if (words) show({ message: words, action: { label: t('common.undo'), run: () => undo(step) } });
  }
  /** Undoes one edit. Later edits are applied again without it, as far as possible. */
  function undo(step: Step | undefined): void {
    const at = step ? history.current.indexOf(step) : -1;
    if (!step || at < 0) return;
    let now = step.before;
    for (const later of history.current.splice(at).slice(1)) {
      history.current.push({ before: now, apply: later.apply });
      now = later.apply(now);
    }
    setUndoCount(history.current.length);
    save(() => write(now));
  }

  return {
    tree,
    /** Whether the user has changed the map. */
    isCustomized: own !== null,
    /** Whether there is a generated map. */
    hasGenerated: record.xmind_json !== null,
    canUndo: undoCount > 0,
    undo: () => undo(history.current.at(-1)),
    /** @returns whether the edit was applied; a map has a maximum number of nodes. */
    change(apply: (tree: MindMapBranch) => MindMapBranch, words?: string): boolean {
      if (!tree) return false;
      const next = apply(tree);
      if (next === tree) return false;
      if (sizeOf(next) > limits.recording.mindNodes) {
        const formatted = count(limits.recording.mindNodes, language);
        show({ message: t('mindMap.full', { formatted }), kind: 'error' });
        return false;
      }
      applyEdit((from) => {
        const before = from ?? record.xmind_json;
        const currentTree = before && treeOf(before);
        return currentTree ? nodesOf(apply(currentTree)) : from;
      }, words);
      return true;
    },
    /** Creates a map with a single node. */
    create(topic: string): void {
      applyEdit(() => [{ id: 'root', parentid: '', topic }]);
    },
    /** Reverts to the generated map. */
    revert(): void {
      applyEdit(() => null, t('mindMap.wentBack'));
    },
  };
}
export type MapEdits = ReturnType<typeof useMapEdits>;
