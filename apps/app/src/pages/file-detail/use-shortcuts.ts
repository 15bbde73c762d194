import { useEffect, useRef } from 'react';
import { skipSeconds } from './use-media-session.ts';
import type { Player } from './use-player.ts';

/** Where keys mean something else: where one types, and on what has keys of its own. */
const typing =
  'input, textarea, select, [contenteditable], [role="menu"], [role="alertdialog"], [role="dialog"]';
const withKeys = `${typing}, button, a, [role="slider"], [role="tab"], [role="radio"], [role="tree"]`;

/** What the keys of a recording's page do beside playing. */
export type ShortcutActions = { mark(): void; find(): void; help(): void };

/**
 * Space plays and pauses, arrows go back and forth, M marks, / finds (as the browser's own find does,
 * which sees only what is on screen), ? tells of all this. None while typing.
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
      // A key that is held goes on seeking; whatever else it does, it does once.
      if (!event.repeat || event.key.startsWith('Arrow')) act();
    };
    // Ahead of the list beside it, whose keys are for when no recording is open.
    window.addEventListener('keydown', onKeyDown, true);
    return () => window.removeEventListener('keydown', onKeyDown, true);
  }, []);
}

function take(event: KeyboardEvent): void {
  event.preventDefault();
  event.stopImmediatePropagation();
}
