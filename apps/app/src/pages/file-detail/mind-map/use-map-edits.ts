import { toHex } from '@linnet/base';
import type { MindNode } from '@linnet/contract';
import { limits } from '@linnet/contract/limits';
import { useEffect, useMemo, useRef, useState } from 'react';
import { count } from '../../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../../i18n/index.ts';
import { nodesOf, sizeOf, type Twig, treeOf } from '../../../mind-map/tree.ts';
import { useSave } from '../../../page-kit/saving.ts';
import { useServices } from '../../../page-kit/services-context.ts';
import { useToast } from '../../../ui/toast.tsx';
import type { OpenRecord } from '../open-record.ts';

/** The user's version of the map; null for the one generated from the transcript. */
type Own = readonly MindNode[] | null;

/** An undoable edit: the map before it, and the edit itself. */
type Step = { before: Own; readonly how: (own: Own) => Own };

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
  // Optimistic value, shown until the database has confirmed it.
  const [ahead, setAhead] = useState<{ own: Own } | null>(null);
  const waiting = useRef(0);
  const past = useRef<Step[]>([]);
  const [steps, setSteps] = useState(0);
  const stored = record.mind_map;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new value from the database is the confirmation.
  useEffect(() => {
    if (waiting.current === 0) setAhead(null);
  }, [stored]);
  const own = ahead ? ahead.own : stored;
  const nodes = own ?? record.xmind_json;
  const tree = useMemo(() => (nodes ? treeOf(nodes) : null), [nodes]);

  async function write(next: Own): Promise<void> {
    setAhead({ own: next });
    waiting.current += 1;
    try {
      await library.edit({
        type: 'recording.mindMap',
        recording: record.id,
        mind_map: next && [...next],
      });
    } catch (error) {
      // A failed write must not stay visible.
      setAhead(null);
      throw error;
    } finally {
      waiting.current -= 1;
    }
  }
  function act(how: Step['how'], words?: string): void {
    const step: Step = { before: own, how };
    past.current.push(step);
    setSteps(past.current.length);
    save(() => write(how(own)));
    if (words) show({ words, action: { label: t('common.undo'), run: () => takeBack(step) } });
  }
  /** Undoes one edit. Later edits are applied again without it, as far as possible. */
  function takeBack(step: Step | undefined): void {
    const at = step ? past.current.indexOf(step) : -1;
    if (!step || at < 0) return;
    let now = step.before;
    for (const later of past.current.splice(at).slice(1)) {
      past.current.push({ before: now, how: later.how });
      now = later.how(now);
    }
    setSteps(past.current.length);
    save(() => write(now));
  }

  return {
    tree,
    /** Whether the user has changed it. */
    changed: own !== null,
    /** Whether there is a generated map. */
    made: record.xmind_json !== null,
    canUndo: steps > 0,
    undo: () => takeBack(past.current.at(-1)),
    /** @returns whether the edit was applied; a map has a maximum number of nodes. */
    change(how: (tree: Twig) => Twig, words?: string): boolean {
      if (!tree) return false;
      const next = how(tree);
      if (next === tree) return false;
      if (sizeOf(next) > limits.recording.mindNodes) {
        const formatted = count(limits.recording.mindNodes, language);
        show({ words: t('mindMap.full', { formatted }), kind: 'error' });
        return false;
      }
      act((from) => {
        const before = from ?? record.xmind_json;
        const whole = before && treeOf(before);
        return whole ? nodesOf(how(whole)) : from;
      }, words);
      return true;
    },
    /** Creates a map with a single node. */
    begin(topic: string): void {
      act(() => [{ id: 'root', parentid: '', topic }]);
    },
    /** Reverts to the generated map. */
    goBack(): void {
      act(() => null, t('mindMap.wentBack'));
    },
  };
}
export type MapEdits = ReturnType<typeof useMapEdits>;
