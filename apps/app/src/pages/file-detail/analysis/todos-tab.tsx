import type { SummaryDocument } from '@linnet/contract';
import CalendarPlus from 'lucide-react/icons/calendar-plus';
import Check from 'lucide-react/icons/check';
import Lock from 'lucide-react/icons/lock';
import { formatCalendarDay, formatCount } from '../../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../../i18n/index.ts';
import { MembershipLink } from '../../../page-kit/membership-link.tsx';
import { useSave } from '../../../page-kit/saving.ts';
import { useMember, useServices } from '../../../page-kit/services-context.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import type { TabProps } from '../tab.ts';
import { AnalysisList } from './analysis-list.tsx';
import { PlayTime, SourceLink } from './source-link.tsx';
import { useCalendar } from './use-calendar.ts';

type Todo = SummaryDocument['todos'][number];

/** Lists to-dos, which can be checked off and added to a calendar. */
export function TodosTab(tab: TabProps) {
  return (
    <AnalysisList name="todos" tab={tab}>
      {(items) => <Todos items={items} tab={tab} />}
    </AnalysisList>
  );
}

function Todos({ items, tab }: { items: readonly Todo[]; tab: TabProps }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { library } = useServices();
  const { record } = tab;
  const isMember = useMember();
  const { busy, save: addToCalendar } = useCalendar(tab);
  const isDone = ({ id }: Todo) => record.ticks[id] === true;
  const doneCount = items.filter(isDone).length;
  const save = useSave();
  const toggleDone = (item: string, done: boolean) =>
    save(() => library.edit({ type: 'recording.tick', recording: record.id, item, done }));
  return (
    <>
      <div className="todos-head">
        <p className="todos-done tabular" data-testid="todos-done" role="status">
          {t('understood.done', {
            done: formatCount(doneCount, language),
            all: formatCount(items.length, language),
          })}
        </p>
        <progress
          max={items.length}
          value={doneCount}
          aria-label={t('understood.doneLabel')}
          data-whole={doneCount === items.length || undefined}
        />
        <Button
          busy={busy}
          disabled={!isMember}
          icon={
            isMember ? (
              <CalendarPlus size={18} aria-hidden="true" />
            ) : (
              <Lock size={16} aria-hidden="true" />
            )
          }
          data-testid="todos-to-calendar"
          onClick={() => void addToCalendar(items)}
        >
          {t('understood.allToCalendar')}
        </Button>
      </div>
      {!isMember && (
        <p className="todos-members small-print">
          {t('understood.calendarForMembers')} <MembershipLink />
        </p>
      )}
      <ol className="said todos">
        {items.map((item) => (
          <TodoLine
            key={item.id}
            item={item}
            tab={tab}
            done={isDone(item)}
            onTick={(isOn) => toggleDone(item.id, isOn)}
            onCalendar={isMember ? () => void addToCalendar([item]) : null}
          />
        ))}
      </ol>
    </>
  );
}

function TodoLine({
  item,
  tab: { player, jump },
  done,
  onTick,
  onCalendar,
}: {
  item: Todo;
  tab: TabProps;
  done: boolean;
  onTick(isOn: boolean): void;
  /** Null if the calendar requires membership. */
  onCalendar: (() => void) | null;
}) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { text, who, when, due, start_time, paragraph_id } = item;
  return (
    <li data-testid="understood-item" data-done={done || undefined}>
      <label className="todo-tick">
        <input
          type="checkbox"
          checked={done}
          aria-label={text}
          data-testid="tick"
          onChange={(event) => onTick(event.currentTarget.checked)}
        />
        <span aria-hidden="true">{done && <Check size={16} strokeWidth={3} />}</span>
      </label>
      <div className="todo-words">
        <p className="said-text said-short" dir="auto">
          {text}
        </p>
        <div className="todo-below">
          <p className="todo-facts">
            {who && <bdi>{who}</bdi>}
            {due ? <bdi>{formatCalendarDay(due, language)}</bdi> : when && <bdi>{when}</bdi>}
            <PlayTime time={start_time} onPlay={player.playFrom} />
          </p>
          <span className="todo-ways">
            {onCalendar && (
              <IconButton
                label={t('understood.toCalendar', { text })}
                data-testid="todo-to-calendar"
                onClick={onCalendar}
              >
                <CalendarPlus size={18} />
              </IconButton>
            )}
            <SourceLink text={text} paragraph={paragraph_id} onJump={jump} />
          </span>
        </div>
      </div>
    </li>
  );
}
