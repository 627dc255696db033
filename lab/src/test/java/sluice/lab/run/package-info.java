/// The product and foreign programs as processes, and the clients and servers that tests bring.
package sluice.lab.run;
