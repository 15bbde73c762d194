package org.linnet.app;

import android.app.Notification;
import android.app.PendingIntent;
import android.app.Service;
import android.content.Context;
import android.content.Intent;
import android.content.pm.ServiceInfo;
import android.os.IBinder;
import android.os.PowerManager;
import androidx.core.app.NotificationChannelCompat;
import androidx.core.app.NotificationCompat;
import androidx.core.app.NotificationManagerCompat;
import androidx.core.app.ServiceCompat;
import androidx.core.content.ContextCompat;
import com.getcapacitor.Logger;

/**
 * Stands in the foreground while a transfer runs, so that Android lets the pages go on when another app is opened.
 * The transfer itself is theirs: this shows it, and keeps the processor awake.
 */
public class TransferService extends Service {

    static final String CHANNEL_NAME = "channel";
    static final String TITLE = "title";
    static final String PERCENT = "percent";
    static final String RECORDER = "recorder";

    private static final String CHANNEL = "transfers";
    private static final int NOTIFICATION = 1;
    /** Milliseconds; what Android 15 gives work of the kind `dataSync` in a day. */
    private static final long LONGEST_MS = 6 * 60 * 60 * 1000L;

    private static TransferService running;
    /** Asked for, and not begun: Android ends the app unless the service reaches the foreground before it stops. */
    private static boolean starting;
    /** Nobody wants any more what is starting. */
    private static boolean unwanted;

    private PowerManager.WakeLock awake;

    /** Begins, or shows what is new. @throws IllegalStateException where Android lets no such work begin */
    static synchronized void start(Context context, Intent intent) {
        unwanted = false;
        // One that runs already may change what it shows from anywhere.
        if (running != null && running.show(intent)) return;
        ContextCompat.startForegroundService(context, intent);
        starting = true;
    }

    /** Harmless when nothing runs. */
    static synchronized void stop() {
        if (starting) unwanted = true;
        else if (running != null) running.leave();
    }

    /** @return whether it is still wanted */
    private static synchronized boolean begun(TransferService service) {
        starting = false;
        running = unwanted ? null : service;
        return !unwanted;
    }

    private static synchronized void ended(TransferService service) {
        if (running == service) running = null;
    }

    @Override
    public int onStartCommand(Intent intent, int flags, int startId) {
        boolean shown = intent != null && show(intent);
        if (!begun(this) || !shown) {
            leave();
        } else if (awake == null) {
            awake = getSystemService(PowerManager.class).newWakeLock(PowerManager.PARTIAL_WAKE_LOCK, "linnet:transfer");
            awake.acquire(LONGEST_MS);
        }
        // Without the pages there is nothing to go on with.
        return START_NOT_STICKY;
    }

    /** Android's word that the day's hours are used up; it ends the app if the service stays. */
    @Override
    public void onTimeout(int startId, int foregroundServiceType) {
        leave();
    }

    @Override
    public void onTaskRemoved(Intent rootIntent) {
        leave();
    }

    @Override
    public void onDestroy() {
        ended(this);
        if (awake != null && awake.isHeld()) awake.release();
        super.onDestroy();
    }

    @Override
    public IBinder onBind(Intent intent) {
        return null;
    }

    /** The next that is wanted is one of its own. */
    private void leave() {
        ended(this);
        stopSelf();
    }

    private boolean show(Intent intent) {
        int type = intent.getBooleanExtra(RECORDER, false)
            ? ServiceInfo.FOREGROUND_SERVICE_TYPE_CONNECTED_DEVICE
            : ServiceInfo.FOREGROUND_SERVICE_TYPE_DATA_SYNC;
        try {
            ServiceCompat.startForeground(this, NOTIFICATION, notification(intent), type);
            return true;
        } catch (IllegalStateException error) {
            // From Android 12 on, when the app went to the background a moment ago.
            Logger.error("Transfers", "not in the foreground", error);
            return false;
        }
    }

    private Notification notification(Intent intent) {
        String name = intent.getStringExtra(CHANNEL_NAME);
        NotificationManagerCompat.from(this).createNotificationChannel(
            new NotificationChannelCompat.Builder(CHANNEL, NotificationManagerCompat.IMPORTANCE_LOW).setName(name).build()
        );
        int percent = intent.getIntExtra(PERCENT, -1);
        Intent open = new Intent(this, MainActivity.class);
        return new NotificationCompat.Builder(this, CHANNEL)
            .setSmallIcon(R.drawable.ic_transfer)
            .setContentTitle(intent.getStringExtra(TITLE))
            .setProgress(100, Math.max(0, percent), percent < 0)
            .setCategory(NotificationCompat.CATEGORY_PROGRESS)
            .setForegroundServiceBehavior(NotificationCompat.FOREGROUND_SERVICE_IMMEDIATE)
            .setContentIntent(PendingIntent.getActivity(this, 0, open, PendingIntent.FLAG_IMMUTABLE))
            .setOngoing(true)
            .setOnlyAlertOnce(true)
            .build();
    }
}
