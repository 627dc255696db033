package sluice.linux.ffi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;

final class ArrayViewsTest {

    private final ArrayViews views = new ArrayViews();

    @Test
    void aViewBeginsAtItsOffset() {
        byte[] array = {1, 2, 3, 4};

        MemorySegment view = views.of(array, 2, 1);

        assertThat(view.get(ValueLayout.JAVA_BYTE, 0)).isEqualTo((byte) 3);
        assertThat(view.byteSize()).isEqualTo(2);
    }

    @Test
    void theSameArrayAndOffsetGiveTheSameView() {
        byte[] array = new byte[100];
        MemorySegment view = views.of(array, 7, 10);
        for (int i = 0; i < 5; i++) {
            views.of(new byte[10], 0, 10);
        }

        assertThat(views.of(array, 7, 93)).isSameAs(view);
        assertThat(views.of(array, 8, 10)).isNotSameAs(view);
    }

    @Test
    void clearLetsGo() {
        byte[] array = new byte[100];
        MemorySegment view = views.of(array, 0, 10);

        views.clear();

        assertThat(views.of(array, 0, 10)).isNotSameAs(view);
    }

    @Test
    void whatDoesNotFitIsRefused() {
        byte[] array = new byte[100];

        assertThatThrownBy(() -> views.of(array, 1, 100))
                .isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> views.of(array, -1, 10))
                .isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> views.of(array, 10, -1))
                .isInstanceOf(IndexOutOfBoundsException.class);
        assertThat(views.of(array, 100, 0).byteSize()).isZero();
    }
}
