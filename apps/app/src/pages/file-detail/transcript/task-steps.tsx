import type { TaskHead } from '@linnet/contract';
import { taskSteps } from '@linnet/contract/structures';
import Check from 'lucide-react/icons/check';
import { formatPercentage } from '../../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../../i18n/index.ts';

/** Shows the steps of the server's task, highlighting the current one. */
export function TaskSteps({ currentStep }: { currentStep: NonNullable<TaskHead['step']> }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const currentIndex = taskSteps.indexOf(currentStep.name);
  return (
    <ol className="task-steps" data-testid="task-steps" aria-label={t('task.steps')}>
      {taskSteps.map((name, index) => {
        const state = index < currentIndex ? 'done' : index === currentIndex ? 'current' : 'ahead';
        return (
          <li key={name} data-state={state} aria-current={state === 'current' ? 'step' : undefined}>
            <span className="task-step-mark" aria-hidden="true">
              {state === 'done' && <Check size={12} />}
            </span>
            <span className="task-step-name">{t(`task.${name}`)}</span>
            {state === 'current' && (
              <>
                <span className="task-step-percent tabular">
                  {formatPercentage(currentStep.done * 100, language)}
                </span>
                <progress
                  className="task-step-bar"
                  max={1}
                  value={currentStep.done}
                  aria-hidden="true"
                />
              </>
            )}
          </li>
        );
      })}
    </ol>
  );
}
