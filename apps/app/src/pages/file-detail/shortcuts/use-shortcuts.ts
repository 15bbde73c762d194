import { useEffect, useRef } from 'react';
import { skipSeconds } from '../player/use-media-session.ts';
import type { Player } from '../player/use-player.ts';

/** Elements with key bindings of their own, such as text fields. */
const typing =
  'input, textarea, select, [contenteditable], [role="menu"], [role="alertdialog"], [role="dialog"]';
const withKeys = `${typing}, button, a, [role="slider"], [role="tab"], [role="radio"], [role="tree"]`;

/** Shortcut actions other than playback. */
export type ShortcutActions = { mark(): void; find(): void; help(): void };

/**
 * Space toggles playback, arrows seek, M sets a marker, / searches (as does the browser's own shortcut, whose
 * search would see only rendered paragraphs), ? shows the shortcuts. Disabled while typing.
 */
export function useShortcuts(player: Player, actions: ShortcutActions): void {
  const now = useRef({ player, actions });
  now.current = { player, actions };
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const { player, actions } = now.current;
      const target = event.target instanceof Element ? event.target : null;
      if (event.defaultPrevented || event.altKey) return;
      if (event.metaKey || event.ctrlKey) {
        if (event.key.toLowerCase() !== 'f' || event.shiftKey) return;
        if (document.querySelector('[role="alertdialog"], [role="dialog"]')) return;
        take(event);
        actions.find();
        return;
      }
      const by = (seconds: number) => () => player.seek(player.position.get() + seconds);
      const playing: Readonly<Record<string, () => void>> = {
        ' ': player.toggle,
        ArrowRight: by(skipSeconds),
        ArrowLeft: by(-skipSeconds),
      };
      const others: Readonly<Record<string, () => void>> = {
        m: actions.mark,
        '/': actions.find,
        '?': actions.help,
      };
      const act = target?.closest(withKeys)
        ? target.closest(typing)
          ? undefined
          : others[event.key.toLowerCase()]
        : (playing[event.key] ?? others[event.key.toLowerCase()]);
      if (!act) return;
      take(event);
      // Holding an arrow key keeps seeking; other keys do not repeat.
      if (!event.repeat || event.key.startsWith('Arrow')) act();
    };
    // Captured before the list beside it, whose shortcuts apply only when no recording is open.
    window.addEventListener('keydown', onKeyDown, true);
    return () => window.removeEventListener('keydown', onKeyDown, true);
  }, []);
}

function take(event: KeyboardEvent): void {
  event.preventDefault();
  event.stopImmediatePropagation();
}
