import { limits } from '@linnet/contract/limits';
import ChevronDown from 'lucide-react/icons/chevron-down';
import ChevronUp from 'lucide-react/icons/chevron-up';
import X from 'lucide-react/icons/x';
import { useEffect, useRef, useState } from 'react';
import { formatCount } from '../../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../../i18n/index.ts';
import { Button, IconButton } from '../../../ui/button.tsx';

/** Finds and replaces text in the transcript. */
export function FindBar({
  query,
  matchCount,
  index,
  onQuery,
  onMove,
  onReplace,
  onReplaceAll,
  onClose,
}: {
  query: string;
  /** Number of matches. */
  matchCount: number;
  /** Index of the current match, starting at 0. */
  index: number;
  onQuery(text: string): void;
  /** Moves to the next or previous match. */
  onMove(step: 1 | -1): void;
  onReplace(replacement: string): void;
  onReplaceAll(replacement: string): void;
  onClose(): void;
}) {
  const { t } = useTranslation();
  const language = useLanguage();
  const [replacement, setReplacement] = useState('');
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);
  const position =
    query === ''
      ? ''
      : matchCount === 0
        ? t('find.none')
        : t('find.at', {
            at: formatCount(index + 1, language),
            all: formatCount(matchCount, language),
          });
  return (
    <section
      className="find"
      aria-label={t('find.label')}
      data-testid="find-bar"
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        onClose();
      }}
    >
      <form
        className="find-row"
        onSubmit={(event) => {
          event.preventDefault();
          onMove(1);
        }}
      >
        <input
          ref={input}
          className="find-input"
          type="search"
          enterKeyHint="search"
          aria-label={t('find.wanted')}
          placeholder={t('find.wanted')}
          data-testid="find-wanted"
          dir="auto"
          maxLength={limits.search.keywordMaxLength}
          value={query}
          onChange={(event) => onQuery(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || !event.shiftKey) return;
            event.preventDefault();
            onMove(-1);
          }}
        />
        <output className="find-count tabular" data-testid="find-count">
          {position}
        </output>
        <IconButton
          label={t('find.previous')}
          disabled={matchCount === 0}
          onClick={() => onMove(-1)}
        >
          <ChevronUp size={20} />
        </IconButton>
        <IconButton label={t('find.next')} disabled={matchCount === 0} type="submit">
          <ChevronDown size={20} />
        </IconButton>
        <IconButton label={t('find.close')} onClick={onClose}>
          <X size={20} />
        </IconButton>
      </form>
      <form
        className="find-row"
        onSubmit={(event) => {
          event.preventDefault();
          if (matchCount > 0) onReplace(replacement);
        }}
      >
        <input
          className="find-input"
          aria-label={t('find.by')}
          placeholder={t('find.by')}
          data-testid="find-by"
          dir="auto"
          maxLength={limits.search.keywordMaxLength}
          value={replacement}
          onChange={(event) => setReplacement(event.currentTarget.value)}
        />
        <Button
          type="submit"
          variant="quiet"
          disabled={matchCount === 0}
          data-testid="find-replace"
        >
          {t('find.replace')}
        </Button>
        <Button
          variant="quiet"
          disabled={matchCount === 0}
          data-testid="find-replace-all"
          onClick={() => onReplaceAll(replacement)}
        >
          {t('find.replaceAll')}
        </Button>
      </form>
    </section>
  );
}
