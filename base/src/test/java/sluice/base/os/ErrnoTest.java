package sluice.base.os;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Field;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class ErrnoTest {

    @Test
    void everyNamedValueDescribesItself() throws IllegalAccessException {
        Set<Integer> values = new HashSet<>();
        for (Field field : Errno.class.getFields()) {
            int value = field.getInt(null);

            assertThat(values.add(value)).as("%s is the only %d", field.getName(), value).isTrue();
            assertThat(Errno.describe(value)).startsWith(field.getName() + " (").endsWith(")");
        }
        assertThat(values).hasSizeGreaterThan(20);
    }

    @Test
    void otherValuesShowTheirNumber() {
        assertThat(Errno.describe(7)).isEqualTo("errno 7");
    }
}
