package org.linnet.app;

import android.content.Context;
import android.net.ConnectivityManager;
import android.net.Network;
import android.net.NetworkCapabilities;
import android.net.NetworkRequest;
import android.net.NetworkSpecifier;
import android.net.wifi.WifiNetworkSpecifier;
import android.os.Build;
import android.os.Handler;
import android.os.Looper;
import androidx.annotation.RequiresApi;
import com.getcapacitor.Plugin;
import com.getcapacitor.PluginCall;
import com.getcapacitor.PluginMethod;
import com.getcapacitor.annotation.CapacitorPlugin;

/**
 * Joins a recorder's network, after Android has asked its owner, and sends all that this app asks for through it
 * until it is left: the network leads nowhere else, so Android would choose another for what is not bound to it.
 *
 * Rejects with `unsupported` before Android 10 and for names and passwords that WPA2 does not know, `declined`
 * when the owner says no, the network is not there, `timeoutMs` have passed, or it was left meanwhile, `failed` for
 * anything else.
 */
@CapacitorPlugin(name = "RecorderNetwork")
public class RecorderNetworkPlugin extends Plugin {

    private ConnectivityManager.NetworkCallback asked;
    /** Waits until what is asked for is joined. */
    private PluginCall waiting;

    @PluginMethod
    public void join(PluginCall call) {
        if (Build.VERSION.SDK_INT < Build.VERSION_CODES.Q) {
            call.reject("Android 10 is the first that lets an app join", "unsupported");
            return;
        }
        release();
        request(call);
    }

    /** Harmless when nothing was joined. */
    @PluginMethod
    public void leave(PluginCall call) {
        release();
        call.resolve();
    }

    @Override
    protected void handleOnDestroy() {
        release();
    }

    @RequiresApi(Build.VERSION_CODES.Q)
    private synchronized void request(PluginCall call) {
        NetworkSpecifier recorder;
        try {
            recorder = new WifiNetworkSpecifier.Builder()
                .setSsid(call.getString("ssid", ""))
                .setWpa2Passphrase(call.getString("password", ""))
                .build();
        } catch (IllegalArgumentException | IllegalStateException error) {
            call.reject("not a network that can be joined", "unsupported", error);
            return;
        }
        NetworkRequest wanted = new NetworkRequest.Builder()
            .addTransportType(NetworkCapabilities.TRANSPORT_WIFI)
            // Asked for by default, and a recorder has none.
            .removeCapability(NetworkCapabilities.NET_CAPABILITY_INTERNET)
            .setNetworkSpecifier(recorder)
            .build();
        ConnectivityManager.NetworkCallback callback = new ConnectivityManager.NetworkCallback() {
            @Override
            public void onAvailable(Network network) {
                joined(this, network);
            }

            @Override
            public void onUnavailable() {
                missed(this);
            }

            @Override
            public void onLost(Network network) {
                lost(this);
            }
        };
        int timeoutMs = call.getInt("timeoutMs", 60_000);
        try {
            manager().requestNetwork(wanted, callback, new Handler(Looper.getMainLooper()), timeoutMs);
        } catch (RuntimeException error) {
            // Such as one request too many.
            call.reject("not asked for", "failed", error);
            return;
        }
        asked = callback;
        waiting = call;
    }

    // These do nothing for a request that was given up meanwhile.

    private synchronized void joined(ConnectivityManager.NetworkCallback by, Network network) {
        if (by != asked) return;
        if (!manager().bindProcessToNetwork(network)) {
            // Gone again in this moment.
            giveUp("failed");
            return;
        }
        if (waiting != null) waiting.resolve();
        waiting = null;
    }

    /** The last word of a request. */
    private synchronized void missed(ConnectivityManager.NetworkCallback by) {
        if (by != asked) return;
        asked = null;
        refuse("declined");
    }

    /** It may come back, and is joined again then. */
    private synchronized void lost(ConnectivityManager.NetworkCallback by) {
        if (by == asked) manager().bindProcessToNetwork(null);
    }

    private synchronized void release() {
        if (asked != null) giveUp("declined");
    }

    private void giveUp(String code) {
        manager().bindProcessToNetwork(null);
        manager().unregisterNetworkCallback(asked);
        asked = null;
        refuse(code);
    }

    private void refuse(String code) {
        if (waiting != null) waiting.reject("not joined", code);
        waiting = null;
    }

    private ConnectivityManager manager() {
        return (ConnectivityManager) getContext().getSystemService(Context.CONNECTIVITY_SERVICE);
    }
}
