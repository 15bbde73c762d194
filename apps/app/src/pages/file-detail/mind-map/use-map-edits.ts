import { toHex } from '@linnet/base';
import type { MindNode } from '@linnet/contract';
import { limits } from '@linnet/contract/limits';
import { buildTree, countNodes, flattenTree, type MindMapBranch } from '@linnet/mind-map/tree';
import { useEffect, useMemo, useRef, useState } from 'react';
import { formatCount } from '../../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../../i18n/index.ts';
import { useSave } from '../../../page-kit/saving.ts';
import { useServices } from '../../../page-kit/services-context.ts';
import { useToast } from '../../../ui/toast.tsx';
import type { OpenRecord } from '../open-record.ts';

/** The user's version of the map; null if the generated map is unchanged. */
type CustomMap = readonly MindNode[] | null;

/** An edit that can be undone: the map before it, and the function that applies it. */
type Step = { mapBefore: CustomMap; readonly apply: (customMap: CustomMap) => CustomMap };

/** Returns a unique node ID. `crypto.randomUUID` is unavailable over plain HTTP, such as on a home network. */
export function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return `own-${toHex(bytes)}`;
}

/** Returns a recording's mind map with functions to edit it. Each edit can be undone while the page is open. */
export function useMapEdits(record: OpenRecord) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { library } = useServices();
  const save = useSave();
  const show = useToast();
  // The optimistic value, shown until the database confirms it.
  const [optimistic, setOptimistic] = useState<{ map: CustomMap } | null>(null);
  const pendingWrites = useRef(0);
  const history = useRef<Step[]>([]);
  const [undoCount, setUndoCount] = useState(0);
  const storedMap = record.mind_map;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new value from the database is the confirmation.
  useEffect(() => {
    if (pendingWrites.current === 0) setOptimistic(null);
  }, [storedMap]);
  const customMap = optimistic ? optimistic.map : storedMap;
  const nodes = customMap ?? record.xmind_json;
  const tree = useMemo(() => (nodes ? buildTree(nodes) : null), [nodes]);

  async function write(next: CustomMap): Promise<void> {
    setOptimistic({ map: next });
    pendingWrites.current += 1;
    try {
      await library.edit({
        type: 'recording.mindMap',
        recording: record.id,
        mind_map: next && [...next],
      });
    } catch (error) {
      // Don't keep showing an edit that couldn't be saved.
      setOptimistic(null);
      throw error;
    } finally {
      pendingWrites.current -= 1;
    }
  }
  function applyEdit(apply: Step['apply'], message?: string): void {
    const step: Step = { mapBefore: customMap, apply };
    history.current.push(step);
    setUndoCount(history.current.length);
    save(() => write(apply(customMap)));
    if (message) show({ message, action: { label: t('common.undo'), run: () => undo(step) } });
  }
  /** Undoes one edit and reapplies later edits as far as possible. */
  function undo(step: Step | undefined): void {
    const index = step ? history.current.indexOf(step) : -1;
    if (!step || index < 0) return;
    let restoredMap = step.mapBefore;
    for (const laterStep of history.current.splice(index).slice(1)) {
      history.current.push({ mapBefore: restoredMap, apply: laterStep.apply });
      restoredMap = laterStep.apply(restoredMap);
    }
    setUndoCount(history.current.length);
    save(() => write(restoredMap));
  }

  return {
    tree,
    /** Whether the user has changed the map. */
    isCustomized: customMap !== null,
    /** Whether the server has generated a map. */
    hasGenerated: record.xmind_json !== null,
    canUndo: undoCount > 0,
    undo: () => undo(history.current.at(-1)),
    /**
     * Applies an edit.
     * @returns whether the edit was applied; false if it changes nothing or would make the map too large
     */
    change(apply: (tree: MindMapBranch) => MindMapBranch, message?: string): boolean {
      if (!tree) return false;
      const next = apply(tree);
      if (next === tree) return false;
      if (countNodes(next) > limits.recording.mindNodes) {
        const formatted = formatCount(limits.recording.mindNodes, language);
        show({ message: t('mindMap.full', { formatted }), kind: 'error' });
        return false;
      }
      applyEdit((from) => {
        const previousMap = from ?? record.xmind_json;
        const currentTree = previousMap && buildTree(previousMap);
        return currentTree ? flattenTree(apply(currentTree)) : from;
      }, message);
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
