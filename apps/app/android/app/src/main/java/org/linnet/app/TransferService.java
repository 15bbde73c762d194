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
 * A foreground service that runs during transfers and microphone recordings, so that Android does not suspend
 * the app or mute its microphone in the background. The service only shows the notification and holds a wake lock; the
 * web pages transfer and record the data.
 */
public class TransferService extends Service {

    static final String CHANNEL_NAME = "channel";
    static final String TITLE = "title";
    static final String PERCENT = "percent";
    static final String TYPE = "type";

    private static final String CHANNEL = "transfers";
    private static final int NOTIFICATION = 1;
    /** The time in milliseconds per day for which Android 15 allows services of type `dataSync` to run. */
    private static final long MAX_RUNTIME_MS = 6 * 60 * 60 * 1000L;
    /** The timeout of the wake lock during recordings, in milliseconds. Services of type `microphone` have no limit. */
    private static final long MAX_RECORDING_MS = 24 * 60 * 60 * 1000L;

    private static TransferService running;
    /**
     * Whether the service was requested but has not started yet. It must not be stopped then, because Android
     * terminates an app whose service stops before it is in the foreground.
     */
    private static boolean isStarting;
    /** Whether the service must stop as soon as it has started. */
    private static boolean isCanceled;

    private PowerManager.WakeLock wakeLock;

    /** Starts the service, or updates the notification. @throws IllegalStateException if Android forbids the start */
    static synchronized void start(Context context, Intent intent) {
        isCanceled = false;
        // A running service may update its notification even while the app is in the background.
        if (running != null && running.show(intent)) return;
        ContextCompat.startForegroundService(context, intent);
        isStarting = true;
    }

    /** Stops the service if it is running or starting. */
    static synchronized void stop() {
        if (isStarting) isCanceled = true;
        else if (running != null) running.end();
    }

    /** Records that the service has started. @return false if it was stopped while it was starting */
    private static synchronized boolean onStarted(TransferService service) {
        isStarting = false;
        running = isCanceled ? null : service;
        return !isCanceled;
    }

    private static synchronized void onEnded(TransferService service) {
        if (running == service) running = null;
    }

    @Override
    public int onStartCommand(Intent intent, int flags, int startId) {
        boolean isShown = intent != null && show(intent);
        if (!onStarted(this) || !isShown) end();
        // If Android kills the app, restarting the service alone would be useless, because the pages transfer the data.
        return START_NOT_STICKY;
    }

    /** Stops the service when the daily limit is reached. Otherwise, Android would terminate the app. */
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

    /** Stops this instance. The next transfer starts a new one. */
    private void end() {
        onEnded(this);
        stopSelf();
    }

    private boolean show(Intent intent) {
        int type = typeOf(intent);
        try {
            ServiceCompat.startForeground(this, NOTIFICATION, notification(intent), type);
        } catch (IllegalStateException | SecurityException error) {
            // Since Android 12, this happens if the app has just moved to the background. Android 14 reports it as a
            // missing permission if the type is `microphone`.
            Logger.error("Transfers", "failed to enter the foreground", error);
            return false;
        }
        stayAwake(type == ServiceInfo.FOREGROUND_SERVICE_TYPE_MICROPHONE ? MAX_RECORDING_MS : MAX_RUNTIME_MS);
        return true;
    }

    /** Returns a single service type, because the daily limit of `dataSync` must not end a recording. */
    private static int typeOf(Intent intent) {
        String type = intent.getStringExtra(TYPE);
        if ("microphone".equals(type)) return ServiceInfo.FOREGROUND_SERVICE_TYPE_MICROPHONE;
        return "connectedDevice".equals(type)
            ? ServiceInfo.FOREGROUND_SERVICE_TYPE_CONNECTED_DEVICE
            : ServiceInfo.FOREGROUND_SERVICE_TYPE_DATA_SYNC;
    }

    /** Acquires the wake lock. Each further call restarts the timeout. */
    private void stayAwake(long timeoutMs) {
        if (wakeLock == null) {
            wakeLock = getSystemService(PowerManager.class).newWakeLock(PowerManager.PARTIAL_WAKE_LOCK, "linnet:transfer");
            wakeLock.setReferenceCounted(false);
        }
        wakeLock.acquire(timeoutMs);
    }

    private Notification notification(Intent intent) {
        String name = intent.getStringExtra(CHANNEL_NAME);
        NotificationManagerCompat.from(this).createNotificationChannel(
            new NotificationChannelCompat.Builder(CHANNEL, NotificationManagerCompat.IMPORTANCE_LOW).setName(name).build()
        );
        int percent = intent.getIntExtra(PERCENT, -1);
        boolean isRecording = typeOf(intent) == ServiceInfo.FOREGROUND_SERVICE_TYPE_MICROPHONE;
        Intent open = new Intent(this, MainActivity.class);
        NotificationCompat.Builder builder = new NotificationCompat.Builder(this, CHANNEL)
            .setSmallIcon(R.drawable.ic_transfer)
            .setContentTitle(intent.getStringExtra(TITLE))
            .setCategory(isRecording ? NotificationCompat.CATEGORY_SERVICE : NotificationCompat.CATEGORY_PROGRESS)
            .setForegroundServiceBehavior(NotificationCompat.FOREGROUND_SERVICE_IMMEDIATE)
            .setContentIntent(PendingIntent.getActivity(this, 0, open, PendingIntent.FLAG_IMMUTABLE))
            .setOngoing(true)
            .setOnlyAlertOnce(true);
        if (!isRecording) builder.setProgress(100, Math.max(0, percent), percent < 0);
        return builder.build();
    }
}
