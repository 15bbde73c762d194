import { useEffect } from 'react';
import { useNavigateTo } from '../page-kit/navigation.tsx';
import { useServices } from '../page-kit/services-context.ts';

/** Opens the page of a notification that the user taps while the app is open. */
export function NotificationTaps() {
  const { notifications } = useServices();
  const navigateTo = useNavigateTo();
  useEffect(() => notifications.onTap((path) => void navigateTo(path)));
  return null;
}
