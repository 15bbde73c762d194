import { useEffect, useRef } from 'react';
import { skipSeconds } from '../player/use-media-session.ts';
import type { Player } from '../player/use-player.ts';

/** Selectors of elements that handle keys themselves. */
const textInputs =
  'input, textarea, select, [contenteditable], [role="menu"], [role="alertdialog"], [role="dialog"]';
const interactive = `${textInputs}, button, a, [role="slider"], [role="tab"], [role="radio"], [role="tree"]`;

/** Shortcut actions other than playback. */
export type ShortcutActions = { addMarker(): void; search(): void; showHelp(): void };

/**
 * Handles keyboard shortcuts: Space toggles playback, the arrow keys seek, M adds a marker, / searches, and ? lists the
 * shortcuts. Ctrl+F also searches, because the browser's own search would find only rendered paragraphs. Shortcuts are
 * off while the user types.
 */
export function useShortcuts(player: Player, actions: ShortcutActions): void {
  const latest = useRef({ player, actions });
  latest.current = { player, actions };
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const { player, actions } = latest.current;
      const target = event.target instanceof Element ? event.target : null;
      if (event.defaultPrevented || event.altKey) return;
      if (event.metaKey || event.ctrlKey) {
        if (event.key.toLowerCase() !== 'f' || event.shiftKey) return;
        if (document.querySelector('[role="alertdialog"], [role="dialog"]')) return;
        consume(event);
        actions.search();
        return;
      }
      const skip = (seconds: number) => () => player.seek(player.position.get() + seconds);
      const playing: Readonly<Record<string, () => void>> = {
        ' ': player.toggle,
        ArrowRight: skip(skipSeconds),
        ArrowLeft: skip(-skipSeconds),
      };
      const otherShortcuts: Readonly<Record<string, () => void>> = {
        m: actions.addMarker,
        '/': actions.search,
        '?': actions.showHelp,
      };
      const action = target?.closest(interactive)
        ? target.closest(textInputs)
          ? undefined
          : otherShortcuts[event.key.toLowerCase()]
        : (playing[event.key] ?? otherShortcuts[event.key.toLowerCase()]);
      if (!action) return;
      consume(event);
      // Only arrow keys repeat.
      if (!event.repeat || event.key.startsWith('Arrow')) action();
    };
    // Capture keys before the list beside the recording does. The list's shortcuts apply only while no recording is
    // open.
    window.addEventListener('keydown', onKeyDown, true);
    return () => window.removeEventListener('keydown', onKeyDown, true);
  }, []);
}

function consume(event: KeyboardEvent): void {
  event.preventDefault();
  event.stopImmediatePropagation();
}
