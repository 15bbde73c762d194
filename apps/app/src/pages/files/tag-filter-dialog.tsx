import { AlertDialog } from '@base-ui/react/alert-dialog';
import { limits } from '@linnet/contract/limits';
import Check from 'lucide-react/icons/check';
import { useState } from 'react';
import { useTranslation } from '../../i18n/index.ts';
import { Button } from '../../ui/button.tsx';
import { SegmentedControl } from '../../ui/choice.tsx';
import type { Criteria } from './files-view.ts';
import '../../ui/dialog.css';
import '../../ui/pick.css';
import './tag-dialog.css';

type TagCriteria = Pick<Criteria, 'tags' | 'match'>;

export type TagFilterProps = {
  /** The tags to choose from. */
  readonly tags: readonly string[];
  readonly criteria: TagCriteria;
  onApply(criteria: TagCriteria): void;
  onCancel(): void;
};

/** Selects several tags, and whether recordings need any or all of them. */
export function TagFilterDialog({ tags, criteria, onApply, onCancel }: TagFilterProps) {
  const { t } = useTranslation();
  const [selected, setSelected] = useState(criteria.tags);
  const [match, setMatch] = useState(criteria.match);
  const isFull = selected.length >= limits.filters.tags;
  return (
    <AlertDialog.Root open onOpenChange={(open) => !open && onCancel()}>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className="dialog-backdrop" />
        <AlertDialog.Popup className="dialog tag-dialog" data-testid="tag-filter">
          <AlertDialog.Title className="dialog-title display">
            {t('library.chooseTags')}
          </AlertDialog.Title>
          <ul className="tag-list" aria-label={t('library.tags')}>
            {tags.map((tag) => {
              const isOn = selected.includes(tag);
              return (
                <li key={tag}>
                  <button
                    type="button"
                    className="pick"
                    data-testid="filter-tag-choice"
                    aria-pressed={isOn}
                    disabled={isFull && !isOn}
                    onClick={() =>
                      setSelected(
                        isOn ? selected.filter((each) => each !== tag) : [...selected, tag],
                      )
                    }
                  >
                    {isOn && <Check size={16} aria-hidden="true" />}
                    <span dir="auto">{tag}</span>
                  </button>
                </li>
              );
            })}
          </ul>
          <form
            className="dialog-form"
            onSubmit={(event) => {
              event.preventDefault();
              onApply({ tags: selected, match });
            }}
          >
            <SegmentedControl<Criteria['match']>
              label={t('library.tagMatch')}
              value={match}
              options={(['any', 'all'] as const).map((value) => ({
                value,
                label: t(`library.tagMatches.${value}`),
              }))}
              onChange={setMatch}
            />
            <div className="dialog-actions">
              <Button onClick={onCancel}>{t('common.cancel')}</Button>
              <Button variant="primary" type="submit" data-testid="apply-tags">
                {t('library.show')}
              </Button>
            </div>
          </form>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
