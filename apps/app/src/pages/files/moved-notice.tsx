import { formatCount } from '../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../i18n/index.ts';
import { PageLink } from '../../page-kit/navigation.tsx';
import { retentionPath } from '../../page-kit/paths.ts';
import { useChangeSetting } from '../../page-kit/saving.ts';
import { useServices, useStore } from '../../page-kit/services-context.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { newMoves } from './new-moves.ts';

const group = 'retention';
const key = 'noticed';

/**
 * Shows how many recordings retention rules have moved to the recycle bin since the notice was last dismissed, with a
 * link to them. A synced setting stores the dismissal, so other devices don't repeat the notice.
 */
export function MovedNotice() {
  const { t } = useTranslation();
  const language = useLanguage();
  const { library, settings } = useServices();
  const bin = useStore(library.bin);
  const all = useStore(settings.all);
  const changeSetting = useChangeSetting();
  if (bin.status === 'loading' || all.status === 'loading') return null;
  const noticed = all.value.find((each) => each.group_name === group && each.config_key === key);
  const moves = newMoves(bin.value, noticed?.config_value ?? '');
  if (moves === null) return null;
  return (
    <div data-testid="moved-notice">
      <Notice
        tone="plain"
        message={t('retention.noticed', { number: formatCount(moves.count, language) })}
        action={
          <>
            <PageLink to={retentionPath(moves.run)} className="button" data-testid="show-moved">
              {t('retention.show')}
            </PageLink>
            <Button
              data-testid="dismiss-moved"
              onClick={() => changeSetting(group, key, moves.latest)}
            >
              {t('edits.dismiss')}
            </Button>
          </>
        }
      />
    </div>
  );
}
