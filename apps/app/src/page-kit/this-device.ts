import { useTranslation } from '../i18n/index.ts';
import { useServices } from './services-context.ts';

/** Returns this device's name as a recorder. */
export function useThisDeviceName(): string {
  const { t } = useTranslation();
  const { system } = useServices();
  return t(system === 'android' || system === 'ios' ? 'record.thisPhone' : 'record.thisComputer');
}
