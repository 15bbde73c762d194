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
 * when the owner says no, the network is not there, or `timeoutMs` have passed.
 */
@CapacitorPlugin(name = "RecorderNetwork")
public class RecorderNetworkPlugin extends Plugin {

    private ConnectivityManager.NetworkCallback asked;

    @PluginMethod
    public void join(PluginCall call) {
        if (Build.VERSION.SDK_INT < Build.VERSION_CODES.Q) {
            call.reject("Android 10 is the first that lets an app join", "unsupported");
            return;
        }
        try {
            release();
            request(call);
        } catch (IllegalArgumentException error) {
            call.reject("not a network that can be joined", "unsupported", error);
        }
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
        NetworkSpecifier recorder = new WifiNetworkSpecifier.Builder()
            .setSsid(call.getString("ssid", ""))
            .setWpa2Passphrase(call.getString("password", ""))
            .build();
        NetworkRequest wanted = new NetworkRequest.Builder()
            .addTransportType(NetworkCapabilities.TRANSPORT_WIFI)
            // Asked for by default, and a recorder has none.
            .removeCapability(NetworkCapabilities.NET_CAPABILITY_INTERNET)
            .setNetworkSpecifier(recorder)
            .build();
        ConnectivityManager.NetworkCallback callback = new ConnectivityManager.NetworkCallback() {
            private boolean answered;

            @Override
            public void onAvailable(Network network) {
                if (!bind(this, network) || answered) return;
                answered = true;
                call.resolve();
            }

            @Override
            public void onUnavailable() {
                forget(this);
                if (answered) return;
                answered = true;
                call.reject("not joined", "declined");
            }

            @Override
            public void onLost(Network network) {
                // It may come back, and onAvailable binds to it again.
                bind(this, null);
            }
        };
        asked = callback;
        int timeoutMs = call.getInt("timeoutMs", 60_000);
        manager().requestNetwork(wanted, callback, new Handler(Looper.getMainLooper()), timeoutMs);
    }

    /** Does nothing for a request that was given up meanwhile. */
    private synchronized boolean bind(ConnectivityManager.NetworkCallback by, Network network) {
        return by == asked && manager().bindProcessToNetwork(network);
    }

    private synchronized void forget(ConnectivityManager.NetworkCallback by) {
        if (by == asked) asked = null;
    }

    private synchronized void release() {
        if (asked == null) return;
        manager().bindProcessToNetwork(null);
        manager().unregisterNetworkCallback(asked);
        asked = null;
    }

    private ConnectivityManager manager() {
        return (ConnectivityManager) getContext().getSystemService(Context.CONNECTIVITY_SERVICE);
    }
}
