import type { StructureId } from '@linnet/contract/structures';
import { defaultStructure } from '@linnet/contract/structures';
import Lock from 'lucide-react/icons/lock';
import { useId } from 'react';
import { useTranslation } from '../../../i18n/index.ts';

/** Selects the summary's structure. Structures that require membership show a lock. */
export function SummaryStructures({
  structures,
  selected,
  locked,
  onChoose,
}: {
  structures: readonly StructureId[];
  selected: StructureId;
  locked: boolean;
  onChoose(structure: StructureId): void;
}) {
  const { t } = useTranslation();
  const name = useId();
  return (
    <fieldset className="structures">
      <legend className="visually-hidden">{t('summary.structure')}</legend>
      {structures.map((structure) => {
        const isLocked = locked && structure !== defaultStructure;
        return (
          <label key={structure} className="pick" data-testid={`structure-${structure}`}>
            <input
              type="radio"
              name={name}
              className="visually-hidden"
              checked={structure === selected}
              onChange={() => onChoose(structure)}
            />
            {isLocked && <Lock size={14} role="img" aria-label={t('summary.forMembers')} />}
            {t(`summary.structures.${structure}`)}
          </label>
        );
      })}
    </fieldset>
  );
}
