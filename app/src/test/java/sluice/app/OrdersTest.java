package sluice.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import sluice.app.Orders.Order;

final class OrdersTest {

    private final Orders orders = new Orders();

    @Test
    void aStopBehindAnyNumberOfReloadsIsTheNextOrder() {
        for (int i = 0; i < 1000; i++) {
            orders.reload();
        }
        assertThat(orders.stop()).isFalse();
        assertThat(orders.next(10)).isEqualTo(Order.STOP);
    }

    @Test
    void reloadsThatCameTogetherAreOne() {
        for (int i = 0; i < 1000; i++) {
            orders.reload();
        }
        assertThat(orders.next(10)).isEqualTo(Order.RELOAD);
        assertThat(orders.next(0)).isEqualTo(Order.REST);
        orders.reload();
        assertThat(orders.next(10)).isEqualTo(Order.RELOAD);
    }

    @Test
    void theSecondStopKnowsOfTheFirst() {
        assertThat(orders.stop()).isFalse();
        assertThat(orders.next(10)).isEqualTo(Order.STOP);
        assertThat(orders.stop()).isTrue();
    }

    @Test
    void anOrderWakesWhoWaits() throws Exception {
        CompletableFuture<Order> got = new CompletableFuture<>();
        Thread waiting = Thread.ofVirtual().start(() -> got.complete(orders.next(60)));
        orders.stop();
        assertThat(got.get(20, TimeUnit.SECONDS)).isEqualTo(Order.STOP);
        waiting.join();
    }

    @Test
    void anInterruptIsAStop() {
        Thread.currentThread().interrupt();
        assertThat(orders.next(10)).isEqualTo(Order.STOP);
        assertThat(Thread.interrupted()).isFalse();
    }
}
