import type { RetentionRule } from '@linnet/contract';
import { limits } from '@linnet/contract/limits';
import Pencil from 'lucide-react/icons/pencil';
import Plus from 'lucide-react/icons/plus';
import Trash2 from 'lucide-react/icons/trash-2';
import { useState } from 'react';
import { describeFailure } from '../../i18n/failures.ts';
import { formatEntryDate } from '../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../i18n/index.ts';
import { Page } from '../../page-kit/page.tsx';
import { paths } from '../../page-kit/paths.ts';
import { useServerData } from '../../page-kit/server-data.ts';
import { useServices } from '../../page-kit/services-context.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { EmptyState, LoadingPlaceholder, Notice } from '../../ui/notice.tsx';
import { useToast } from '../../ui/toast.tsx';
import { RuleSheet } from './rule-sheet.tsx';
import { RuleText } from './rule-text.tsx';
import { RunList } from './run-list.tsx';
import './retention.css';

/** Lists the rules that move old recordings to the recycle bin, and what they have moved. */
export default function RetentionPage() {
  const { t } = useTranslation();
  const { retention } = useServices();
  const show = useToast();
  const { data, reload } = useServerData(retention.list);
  /** The rule being edited, or `new`. */
  const [editing, setEditing] = useState<RetentionRule | 'new' | null>(null);
  const isFull = data.status === 'ready' && data.value.length >= limits.retention.rules;

  const restore = async ({ tag, after, unit }: RetentionRule) => {
    const result = await retention.save({ tag, after, unit });
    if (!result.ok) show({ message: describeFailure(t, result.failure).message, kind: 'error' });
    await reload();
  };
  const remove = async (rule: RetentionRule) => {
    const result = await retention.remove(rule.id);
    if (result.ok) {
      const action = { label: t('common.undo'), run: () => void restore(rule) };
      // A paused rule must not become active again without a preview.
      show({ message: t('retention.removed'), ...(rule.paused === null && { action }) });
    } else show({ message: describeFailure(t, result.failure).message, kind: 'error' });
    await reload();
  };

  return (
    <Page title={t('retention.title')} parent={paths.spaceManagement}>
      <div className="section">
        <p className="retention-lead">
          {t('retention.lead')} {t('retention.archived')}
        </p>
        <Button
          variant="primary"
          icon={<Plus size={18} />}
          disabled={data.status !== 'ready' || isFull}
          data-testid="add-rule"
          onClick={() => setEditing('new')}
        >
          {t('retention.add')}
        </Button>
      </div>
      {data.status === 'waiting' && <LoadingPlaceholder lines={3} />}
      {data.status === 'failed' && (
        <Notice
          message={t('retention.failed')}
          detail={describeFailure(t, data.failure).message}
          action={<Button onClick={() => void reload()}>{t('common.retry')}</Button>}
        />
      )}
      {data.status === 'ready' && data.value.length === 0 && (
        <EmptyState title={t('retention.empty')} />
      )}
      {data.status === 'ready' && data.value.length > 0 && (
        <ul className="card" aria-label={t('retention.title')}>
          {data.value.map((rule) => (
            <RuleLine
              key={rule.id}
              rule={rule}
              onEdit={() => setEditing(rule)}
              onRemove={() => void remove(rule)}
            />
          ))}
        </ul>
      )}
      {data.status === 'ready' && <RunList />}
      {editing !== null && (
        <RuleSheet
          rule={editing === 'new' ? null : editing}
          onSaved={() => {
            setEditing(null);
            show({ message: t('retention.saved') });
            void reload();
          }}
          onClose={() => setEditing(null)}
        />
      )}
    </Page>
  );
}

function RuleLine({
  rule,
  onEdit,
  onRemove,
}: {
  rule: RetentionRule;
  onEdit(): void;
  onRemove(): void;
}) {
  const { t } = useTranslation();
  const language = useLanguage();
  const isActive = Date.parse(rule.acts_at) <= Date.now();
  const state = isActive
    ? t('retention.active')
    : t('retention.firstAt', { date: formatEntryDate(rule.acts_at, language) });
  return (
    <li className="line retention-line" data-testid="rule">
      <span className="line-words">
        <span>
          <RuleText rule={rule} />
        </span>
        <span>{rule.paused === null ? state : t(`retention.pauses.${rule.paused}`)}</span>
        {rule.paused !== null && (
          <Button data-testid="check-rule" onClick={onEdit}>
            {t('retention.check')}
          </Button>
        )}
      </span>
      <IconButton label={t('retention.edit')} data-testid="edit-rule" onClick={onEdit}>
        <Pencil size={18} />
      </IconButton>
      <IconButton label={t('retention.remove')} data-testid="remove-rule" onClick={onRemove}>
        <Trash2 size={18} />
      </IconButton>
    </li>
  );
}
