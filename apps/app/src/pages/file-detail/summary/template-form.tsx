import type { SummaryTemplate } from '@linnet/contract';
import { limits } from '@linnet/contract/limits';
import Plus from 'lucide-react/icons/plus';
import X from 'lucide-react/icons/x';
import { useId, useState } from 'react';
import { useTranslation } from '../../../i18n/index.ts';
import { useServices } from '../../../page-kit/services-context.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { Field } from '../../../ui/field.tsx';

type Section = { readonly key: number; readonly heading: string; readonly wants: string };

/** The form for the custom template: headings, and what each section should contain. */
export function TemplateForm({
  template,
  onSave,
  onCancel,
}: {
  template: SummaryTemplate | null;
  onSave(template: SummaryTemplate): void;
  onCancel(): void;
}) {
  const { t } = useTranslation();
  const titleId = useId();
  const { drafts } = useServices();
  const [initial] = useState(() => drafts.read('template') ?? template);
  const [name, setName] = useState(initial?.name ?? '');
  const [sections, setSections] = useState<readonly Section[]>(() =>
    (initial?.sections ?? [{ heading: '', wants: '' }]).map((section, key) => ({
      key,
      ...section,
    })),
  );
  const change = (nextName: string, nextSections: readonly Section[]) => {
    setName(nextName);
    setSections(nextSections);
    const draftSections = nextSections.map(({ heading, wants }) => ({ heading, wants }));
    drafts.write('template', { name: nextName, sections: draftSections });
  };
  const changeSections = (nextSections: readonly Section[]) => change(name, nextSections);
  const updateSection = (key: number, changes: Partial<Section>) =>
    changeSections(
      sections.map((section) => (section.key === key ? { ...section, ...changes } : section)),
    );
  const filledSections = sections
    .map(({ heading, wants }) => ({ heading: heading.trim(), wants: wants.trim() }))
    .filter(({ heading }) => heading !== '');
  return (
    <form
      className="card again"
      aria-labelledby={titleId}
      onSubmit={(event) => {
        event.preventDefault();
        const title = name.trim() || t('summary.structures.custom');
        onSave({ name: title.slice(0, limits.template.nameMaxLength), sections: filledSections });
      }}
    >
      <h2 id={titleId}>{t('template.title')}</h2>
      <p>{t('template.description')}</p>
      <Field
        label={t('template.name')}
        value={name}
        dir="auto"
        maxLength={limits.template.nameMaxLength}
        data-testid="template-name"
        onChange={(event) => change(event.currentTarget.value, sections)}
      />
      {sections.map(({ key, heading, wants }, index) => (
        <fieldset key={key} className="template-section">
          <legend>{t('template.section', { number: index + 1 })}</legend>
          <Field
            label={t('template.heading')}
            value={heading}
            dir="auto"
            required
            maxLength={limits.template.headingMaxLength}
            data-testid={`template-heading-${index}`}
            onChange={(event) => updateSection(key, { heading: event.currentTarget.value })}
          />
          <Field
            label={t('template.wants')}
            hint={t('template.wantsHint')}
            value={wants}
            dir="auto"
            maxLength={limits.template.wantsMaxLength}
            onChange={(event) => updateSection(key, { wants: event.currentTarget.value })}
          />
          {sections.length > 1 && (
            <IconButton
              label={t('template.remove', { number: index + 1 })}
              onClick={() => changeSections(sections.filter((section) => section.key !== key))}
            >
              <X size={18} />
            </IconButton>
          )}
        </fieldset>
      ))}
      {sections.length < limits.template.sections && (
        <Button
          variant="quiet"
          icon={<Plus size={18} aria-hidden="true" />}
          onClick={() => {
            const key = Math.max(...sections.map((section) => section.key)) + 1;
            changeSections([...sections, { key, heading: '', wants: '' }]);
          }}
        >
          {t('template.add')}
        </Button>
      )}
      <div className="transcribe-actions">
        <Button onClick={onCancel}>{t('common.cancel')}</Button>
        <Button
          variant="primary"
          type="submit"
          disabled={filledSections.length === 0}
          data-testid="template-save"
        >
          {t('template.keep')}
        </Button>
      </div>
    </form>
  );
}
