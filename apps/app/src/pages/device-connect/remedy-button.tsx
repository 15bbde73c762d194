import { useTranslation } from '../../i18n/index.ts';
import { useServices } from '../../page-kit/services-context.ts';
import type { RecorderFailure, RecorderTransport } from '../../ports/recorder.ts';
import { Button } from '../../ui/button.tsx';

/** A button that enables an unavailable transport. Renders nothing if the transport can't be enabled on this device. */
export function RemedyButton({
  transport: { kind, availability },
  onResult,
}: {
  transport: RecorderTransport;
  /** Called with the failure, or null on success. */
  onResult(failure: RecorderFailure | null): void;
}) {
  const { t } = useTranslation();
  const { recorder } = useServices();
  const remedy = availability.status === 'unavailable' ? availability.remedy : null;
  if (!remedy) return null;
  const apply = async () => {
    const result = await recorder.applyRemedy(kind, remedy);
    onResult(result.ok ? null : result.failure);
  };
  return (
    <Button data-testid="remedy" onClick={() => void apply()}>
      {t(`connect.remedy.${remedy}`)}
    </Button>
  );
}
