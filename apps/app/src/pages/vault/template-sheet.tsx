import {
  defaultTemplate,
  isTemplate,
  parseTemplate,
  placeholderNames,
  type TemplateProblem,
  templateMaxLength,
} from '@linnet/vault/template';
import type { TFunction } from 'i18next';
import { type FormEvent, useId, useState } from 'react';
import { useTranslation } from '../../i18n/index.ts';
import { Button, SubmitButton } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Sheet } from '../../ui/sheet.tsx';

const placeholder = (name: string) => `{{${name}}}`;

function describeProblem(t: TFunction, problem: TemplateProblem): string {
  switch (problem.kind) {
    case 'empty':
    case 'tooLong':
      return t(`vault.problem.${problem.kind}`);
    case 'unclosed':
      return t('vault.problem.unclosed', { line: problem.line });
    default: {
      const { kind, line, name } = problem;
      return t(`vault.problem.${kind}`, { line, name: placeholder(name) });
    }
  }
}

/** The form that changes the template of a folder's files. */
export function TemplateSheet({
  template,
  save,
  onSaved,
  onClose,
}: {
  /** The current template, or null for the default. */
  template: string | null;
  /** Saves the template. Returns an error message, or null on success. */
  save(template: string | null): Promise<string | null>;
  onSaved(): void;
  onClose(): void;
}) {
  const { t } = useTranslation();
  const id = useId();
  const [text, setText] = useState(template ?? defaultTemplate);
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const parsed = parseTemplate(text);
  const problem = isTemplate(parsed) ? null : parsed;

  const submitTemplate = async (changed: string | null) => {
    setBusy(true);
    setFailure(null);
    try {
      const message = await save(changed);
      if (message === null) onSaved();
      else setFailure(message);
    } finally {
      setBusy(false);
    }
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!isBusy && problem === null) void submitTemplate(text).catch(reportError);
  };

  return (
    <Sheet title={t('vault.template')} onClose={onClose}>
      <form className="vault-form" onSubmit={submit} noValidate>
        <div className="field" data-invalid={problem ? true : undefined}>
          <label htmlFor={id}>{t('vault.template')}</label>
          <textarea
            id={id}
            dir="auto"
            rows={12}
            spellCheck={false}
            value={text}
            maxLength={templateMaxLength}
            aria-invalid={problem ? true : undefined}
            aria-describedby={`${id}-text`}
            data-testid="vault-template"
            onChange={(event) => setText(event.currentTarget.value)}
          />
          {problem ? (
            <p className="field-error" id={`${id}-text`} data-testid="error">
              {describeProblem(t, problem)}
            </p>
          ) : (
            <p className="field-hint" id={`${id}-text`}>
              {t('vault.templateHint')}{' '}
              <code dir="ltr">{placeholderNames.map(placeholder).join(' ')}</code>
            </p>
          )}
        </div>
        {failure !== null && <Notice message={failure} />}
        <SubmitButton busy={isBusy} disabled={problem !== null} data-testid="save-template">
          {t('common.save')}
        </SubmitButton>
        {template !== null && (
          <Button
            wide
            busy={isBusy}
            data-testid="default-template"
            onClick={() => void submitTemplate(null).catch(reportError)}
          >
            {t('vault.templateDefault')}
          </Button>
        )}
      </form>
    </Sheet>
  );
}
