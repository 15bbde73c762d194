import Cloud from 'lucide-react/icons/cloud';
import { useEffect, useState } from 'react';
import { formatSize } from '../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../i18n/index.ts';
import { Section } from '../../page-kit/page.tsx';
import { useServices } from '../../page-kit/services-context.ts';
import type { CloudStorage } from '../../ports/membership.ts';

/** Shows the account's storage on the server. Renders nothing until the server responds. */
export function CloudSpace() {
  const { t } = useTranslation();
  const language = useLanguage();
  const { membership } = useServices();
  const [storage, setStorage] = useState<CloudStorage | null>(null);

  useEffect(() => {
    let isMounted = true;
    void membership.storage().then((result) => {
      if (isMounted && result.ok) setStorage(result.data);
    });
    return () => {
      isMounted = false;
    };
  }, [membership]);

  if (storage === null) return null;
  const usedSize = formatSize(storage.used_bytes, language);
  return (
    <Section title={t('storage.space.cloud')}>
      <p className="line" data-testid="cloud-space">
        <Cloud size={20} aria-hidden="true" />
        {storage.quota_bytes === null
          ? t('storage.space.cloudUsed', { used: usedSize })
          : t('storage.space.cloudUsedOf', {
              used: usedSize,
              quota: formatSize(storage.quota_bytes, language),
            })}
      </p>
    </Section>
  );
}
