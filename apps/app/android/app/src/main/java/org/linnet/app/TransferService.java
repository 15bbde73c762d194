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
 * A foreground service that runs during a transfer, so that Android does not suspend the app in the background. The
 * web pages transfer the data; this service shows the notification and holds a wake lock.
 */
public class TransferService extends Service {

    static final String CHANNEL_NAME = "channel";
    static final String TITLE = "title";
    static final String PERCENT = "percent";
    static final String RECORDER = "recorder";

    private static final String CHANNEL = "transfers";
    private static final int NOTIFICATION = 1;
    /** Daily limit of Android 15 for services of type `dataSync`, in milliseconds. */
    private static final long MAX_RUNTIME_MS = 6 * 60 * 60 * 1000L;

    private static TransferService running;
    /** Requested, but not started yet. Android terminates the app if the service stops before it is in the foreground. */
    private static boolean starting;
    /** Stopped while starting. */
    private static boolean canceled;

    private PowerManager.WakeLock wakeLock;

    /** Starts the service, or updates its notification. @throws IllegalStateException if Android forbids the start */
    static synchronized void start(Context context, Intent intent) {
        canceled = false;
        // A running service may update its notification even from the background.
        if (running != null && running.show(intent)) return;
        ContextCompat.startForegroundService(context, intent);
        starting = true;
    }

    /** Stops the service. Has no effect if it is not running. */
    static synchronized void stop() {
        if (starting) canceled = true;
        else if (running != null) running.end();
    }

    /** Records the start. @return false if the service was stopped while starting */
    private static synchronized boolean onStarted(TransferService service) {
        starting = false;
        running = canceled ? null : service;
        return !canceled;
    }

    private static synchronized void onEnded(TransferService service) {
        if (running == service) running = null;
    }

    @Override
    public int onStartCommand(Intent intent, int flags, int startId) {
        boolean shown = intent != null && show(intent);
        if (!onStarted(this) || !shown) {
            end();
        } else if (wakeLock == null) {
            wakeLock = getSystemService(PowerManager.class).newWakeLock(PowerManager.PARTIAL_WAKE_LOCK, "linnet:transfer");
            wakeLock.acquire(MAX_RUNTIME_MS);
        }
        // After a kill, a restart is useless without the pages.
        return START_NOT_STICKY;
    }

    /** Called when the daily limit is reached. Android terminates the app unless the service stops. */
    @Override
    public void onTimeout(int startId, int foregroundServiceType) {
        end();
    }

    @Override
    public void onTaskRemoved(Intent rootIntent) {
        end();
    }

    @Override
    public void onDestroy() {
        onEnded(this);
        if (wakeLock != null && wakeLock.isHeld()) wakeLock.release();
        super.onDestroy();
    }

    @Override
    public IBinder onBind(Intent intent) {
        return null;
    }

    /** Stops this instance; a later transfer starts a new one. */
    private void end() {
        onEnded(this);
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
            // Since Android 12, if the app has just moved to the background.
            Logger.error("Transfers", "failed to enter the foreground", error);
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
